import type { AnalysisFile } from '../../contracts/circt-files.js'
import type { SourceLanguage } from '../../contracts/circt.js'
import { DIALECTS } from './dialects.js'

export interface SourceClues {
  failingPass: string | null
  dialect: string | null
  frames: readonly string[]
  /** File names the stack dump printed, innermost first. */
  files: readonly string[]
  language: SourceLanguage
}

type Suggestion = AnalysisFile['suggested_sources'][number]

/**
 * Where the cause may be in a CIRCT checkout, by the project's conventions alone: conversions in lib/Conversion/XToY, passes in
 * lib/Dialect/X/Transforms, folds and canonicalisations in lib/Dialect/X/XFolds.cpp. Every reason says that it is a guess.
 */
export function guessSources(clues: SourceClues): Suggestion[] {
  const folder = DIALECTS[clues.dialect ?? ''] ?? null
  const ofStack = fromStackFiles(clues, folder)
  const ofPass = [...fromFolds(clues, folder), ...fromPass(clues, folder)]
  // A verifier that dies on IR is not at fault: the pass that made the IR is.
  const isVerifier = clues.frames.some((frame) => /::verif(?:y|ier)/.test(frame))
  const guesses = [...(isVerifier ? [...ofPass, ...ofStack] : [...ofStack, ...ofPass]), ...fromFrontEnd(clues)]
  const paths = new Set<string>()
  return guesses.filter(({ path }) => !paths.has(path) && paths.add(path)).slice(0, 5)
}

/** Passes whose file is not called after them. */
const CONVERSIONS: Readonly<Record<string, string>> = {
  LowerFIRRTLToHW: 'lib/Conversion/FIRRTLToHW/LowerToHW.cpp',
  LowerSimToSV: 'lib/Conversion/SimToSV/SimToSV.cpp',
  LowerSeqToSV: 'lib/Conversion/SeqToSV/SeqToSV.cpp',
  LowerArcToLLVM: 'lib/Conversion/ArcToLLVM/LowerArcToLLVM.cpp',
  LowerVerifToSV: 'lib/Conversion/VerifToSV/VerifToSV.cpp',
}

function fromStackFiles({ files }: SourceClues, folder: string | null): Suggestion[] {
  return files
    .filter((file) => /^[A-Z]\w+\.cpp$/.test(file) && !MLIR_FILES.has(file))
    .slice(0, 2)
    .map((file) => ({
      path: folder === null ? file : `lib/Dialect/${folder}/${folderOfFile(file)}${file}`,
      reason: `the stack dump names ${file}; its folder is a guess by convention`,
    }))
}

const MLIR_FILES = new Set([
  'Signals.cpp',
  'Pass.cpp',
  'Verifier.cpp',
  'ThreadPool.cpp',
  'GreedyPatternRewriteDriver.cpp',
  'Operation.cpp',
  'MlirOptMain.cpp',
])

function folderOfFile(file: string): string {
  return /(?:Folds|Ops|Types|Attributes|Dialect)\.cpp$/.test(file) ? '' : 'Transforms/'
}

function fromFolds({ failingPass, frames }: SourceClues, folder: string | null): Suggestion[] {
  const isFold =
    frames.some((frame) => /::(?:canonicalize|fold)$/.test(frame)) || failingPass?.startsWith('Canonicalizer') === true
  if (!isFold || folder === null) return []
  return [
    {
      path: `lib/Dialect/${folder}/${folder}Folds.cpp`,
      reason: 'a canonicalisation fails; a guess by the naming of fold files',
    },
  ]
}

function fromPass({ failingPass }: SourceClues, folder: string | null): Suggestion[] {
  if (failingPass === null || /^Canonicalizer|^CSE$|^SymbolDCE/.test(failingPass)) return []
  const name = failingPass.replace(/Pass$/, '')
  const listed = CONVERSIONS[name]
  if (listed !== undefined) return [{ path: listed, reason: `the pass ${failingPass}; a guess by convention` }]
  const conversion = /^(?:Convert|Lower)?([A-Z]\w+To[A-Z]\w+)$/.exec(name)?.[1]
  if (conversion !== undefined) {
    return [
      {
        path: `lib/Conversion/${conversion}/${conversion}.cpp`,
        reason: `the pass ${failingPass}; a guess by the naming of conversions`,
      },
    ]
  }
  if (folder === null) return []
  return [
    {
      path: `lib/Dialect/${folder}/Transforms/${name}.cpp`,
      reason: `the pass ${failingPass}; a guess by the naming of passes`,
    },
  ]
}

/** Without a pass the front end is at work. */
function fromFrontEnd({ failingPass, language }: SourceClues): Suggestion[] {
  if (failingPass !== null || language === 'mlir') return []
  const path = language === 'sv' ? 'lib/Conversion/ImportVerilog/' : 'lib/Dialect/FIRRTL/Import/FIRParser.cpp'
  return [{ path, reason: 'no pass is running yet: the front end; a guess' }]
}
