import { describe, expect, it } from 'vitest'
import { readReproducer } from '../../../src/rules/circt/one-pass.js'

function reproducer(pipeline: string): string {
  return [
    'hw.module @m() {',
    '}',
    '{-#',
    '  external_resources: {',
    '    mlir_reproducer: {',
    `      pipeline: "${pipeline}",`,
    '      disable_threading: true',
    '    }',
    '  }',
    '#-}',
    '',
  ].join('\n')
}

describe('a crash reproducer', () => {
  it.each([
    ['builtin.module(cse)', ['--cse', '--pass-pipeline=builtin.module(cse)']],
    [
      'builtin.module(hw.module(canonicalize{  max-iterations=10 region-simplify=normal}))',
      [
        '--canonicalize',
        '--pass-pipeline=builtin.module(hw.module(canonicalize))',
        '--pass-pipeline=builtin.module(hw.module(canonicalize{  max-iterations=10 region-simplify=normal}))',
      ],
    ],
  ])('with the pipeline %s is IR and one pass', (pipeline, passArguments) => {
    expect(readReproducer(reproducer(pipeline))).toEqual({ ir: 'hw.module @m() {\n}\n', passArguments })
  })

  it.each(['builtin.module(cse,canonicalize)', 'builtin.module(any)(', ''])('with %j is none', (pipeline) => {
    expect(readReproducer(reproducer(pipeline))).toBeNull()
  })

  it('without its end is none', () => {
    expect(readReproducer('hw.module @m() {\n}\n')).toBeNull()
  })
})
