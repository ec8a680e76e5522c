import * as fc from 'fast-check'
import type { SourceLanguage } from '../../../src/contracts/circt.js'

export const LANGUAGES: readonly SourceLanguage[] = ['sv', 'fir', 'mlir']

/** Anything from real-looking lines to any characters at all. */
export const anySource: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        ...'module m(input a, b); | endmodule | begin end | } else { | %[[ | ]] | {"a": "b"}, | hw.module @m(in %a : i1) { | } |'.split(
          '|',
        ),
        ..."%0:2 = op %a, %b : i1, i1|  node x = add(a, b)|    when a: ; c|/* x\n y */ z|// c|\"un|'{1, 2}| |\t|4'bx1|`timescale 1ns".split(
          '|',
        ),
      ),
      { maxLength: 15 },
    )
    .map((lines) => lines.join('\n')),
)
