import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { z } from 'zod'
import { RelativePath } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import { readRequirements } from '../../rules/python-requirements.js'
import type { GateBox } from '../gates/gate-box.js'
import { readReport } from '../gates/read-report.js'
import type { InstallPlan, NothingToInstall } from './install-plan.js'
import { pipIndex } from './pip-index.js'

const Probe = z.object({ version: z.string(), site: z.string(), declared: z.array(z.string()) })

/**
 * A virtual environment with what the project asks for in its files of requirements, else in pyproject.toml or setup.cfg: wheels
 * only, since making one runs the package's code. `src` is put on the path, as installing the project would do.
 * Throws `Failure('Tool.Missing')` without Python or pip.
 */
export async function planPython(box: GateBox, folder: string): Promise<InstallPlan | NothingToInstall> {
  if (!MARKS.some((name) => existsSync(join(folder, name)))) return { nothing: 'is no project of Node or Python' }
  if (box.python === null) throw new Failure('Tool.Missing', 'dependencies: python3 is not on PATH')
  const listed = await listedRequirements(folder)
  const { version, site, declared } = await probe(box, folder)
  const wanted = listed ?? { ...readRequirements(declared.join('\n')), constraints: [] }
  const hasSource = holdsPackages(join(folder, 'src'))
  if (wanted.requirements.length === 0 && !hasSource) return { nothing: 'asks for no packages' }
  const files = new Map([
    ['requirements.txt', `${wanted.requirements.join('\n')}\n`],
    ['constraints.txt', `${wanted.constraints.join('\n')}\n`],
  ])
  const venv = { argv: ['python', '-m', 'venv', '--without-pip', '--system-site-packages', '.venv'] }
  const pip = {
    argv: ['python', '-m', 'pip', '--python', '.venv/bin/python', 'install', ...PIP],
    env: await pipIndex(box),
  }
  return {
    label: listed === null ? 'the declared packages' : 'requirements.txt',
    identity: JSON.stringify(['python', version, process.platform, process.arch, hasSource, ...[...files].flat()]),
    files,
    commands: wanted.requirements.length === 0 ? [venv] : [venv, pip],
    folders: ['.venv'],
    // Relative, so that it is right wherever the environment is copied to.
    extra: hasSource
      ? new Map([[`.venv/${site}/gauntlet-source.pth`, '../../../../src\n']])
      : new Map<string, string>(),
    notes: wanted.left.map((line) => `not installed: ${line.slice(0, 100)}`),
  }
}

const MARKS = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt']
const PIP =
  '--no-input --disable-pip-version-check --no-warn-script-location --only-binary=:all: --requirement requirements.txt --constraint constraints.txt'.split(
    ' ',
  )

interface Wanted {
  requirements: readonly string[]
  constraints: readonly string[]
  left: readonly string[]
}

/** Of all the usual files, and those that they name. Null when there is none. */
async function listedRequirements(folder: string): Promise<Wanted | null> {
  const waiting = REQUIREMENT_FILES.map((path) => ({ path, isConstraint: false }))
  const seen = new Set<string>()
  const wanted = { requirements: [] as string[], constraints: [] as string[], left: [] as string[] }
  for (let next = waiting.shift(); next !== undefined && seen.size < 50; next = waiting.shift()) {
    const { path, isConstraint } = next
    if (seen.has(path) || !RelativePath.safeParse(path).success) continue
    const text = await readReport(folder, path)
    if (text === null) continue
    seen.add(path)
    const found = readRequirements(text)
    wanted[isConstraint ? 'constraints' : 'requirements'].push(...found.requirements)
    wanted.left.push(...found.left)
    const beside = (name: string) => normalize(join(dirname(path), name))
    waiting.push(...found.files.map((name) => ({ path: beside(name), isConstraint })))
    waiting.push(...found.constraints.map((name) => ({ path: beside(name), isConstraint: true })))
  }
  return seen.size === 0 ? null : wanted
}

const REQUIREMENT_FILES = ['', 'dev-', 'test-'].flatMap((before) =>
  [`${before}requirements.txt`, `requirements/${before.replace('-', '') || 'base'}.txt`].concat(
    before === '' ? [] : [`requirements-${before.replace('-', '')}.txt`, `requirements_${before.replace('-', '')}.txt`],
  ),
)

/** Asks Python, which reads its own formats, in the sandbox and without importing anything of the project. */
async function probe(box: GateBox, folder: string): Promise<z.infer<typeof Probe>> {
  const { argv = ['python3'], readable = [] } = box.python ?? {}
  const outcome = await box.run({
    argv: [...argv, '-I', '-c', PROGRAM, folder] as [string, ...string[]],
    cwd: box.copy,
    readable: [...readable, folder],
    env: { PATH: '/usr/bin:/bin', HOME: box.scratch },
    limits: { ...box.limits, timeMs: 20_000 },
    signal: box.signal,
  })
  box.signal.throwIfAborted()
  if (outcome.exitCode !== 0)
    throw new Failure('Tool.Failed', 'dependencies: pyproject.toml or setup.cfg cannot be read')
  return parseJson(Probe, outcome.stdout, 'dependencies: what Python says')
}

const PROGRAM = `
import configparser, json, os, sys
root = sys.argv[1]
TESTS = ("test", "tests", "testing", "dev")
declared = []
def path(name):
    full = os.path.join(root, name)
    return full if os.path.isfile(full) and not os.path.islink(full) else None
def take(value):
    declared.extend(each for each in value or [] if isinstance(each, str))
toml = path("pyproject.toml")
if toml and sys.version_info >= (3, 11):
    import tomllib
    with open(toml, "rb") as file:
        data = tomllib.load(file)
    project = data.get("project", {})
    take(project.get("dependencies"))
    for groups in (project.get("optional-dependencies", {}), data.get("dependency-groups", {})):
        for name in TESTS:
            take(groups.get(name))
cfg = path("setup.cfg")
if cfg and not declared:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(cfg, encoding="utf-8")
    lines = [parser.get("options", "install_requires", fallback="")]
    lines += [parser.get("options.extras_require", name, fallback="") for name in TESTS]
    take(line.strip() for text in lines for line in text.splitlines())
site = "lib/python%d.%d/site-packages" % sys.version_info[:2]
print(json.dumps({"version": sys.version + " " + sys.base_prefix, "site": site, "declared": declared}))
`

/** A folder of modules that only installing the project would put on the path. */
function holdsPackages(folder: string): boolean {
  if (!existsSync(folder)) return false
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) =>
      (entry.isFile() && entry.name.endsWith('.py')) ||
      (entry.isDirectory() && existsSync(join(folder, entry.name, '__init__.py'))),
  )
}
