import { stat } from 'node:fs/promises'
import { parseContract, parseJson } from '../contracts/parse.js'
import { ReviewTask, ReviewTaskDocument } from '../contracts/review-task.js'
import { folderOption } from './case-request.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, manyOption, textOption } from './command.js'
import { readInput } from './read-input.js'

/** Who asks for what, before it is known what there is to review. */
export interface TaskAsked {
  document: ReviewTaskDocument
  /** The folder reviewed, absolute and there. */
  folder: string
}

const MOST_TASK_BYTES = 1_000_000

/** `--task`, if it is given, and the folder: the one typed, else the document's, else where one stands. Throws a mistake of the person. */
export async function readTask(context: Context, input: CommandInput): Promise<TaskAsked> {
  const given = textOption(input, 'task')
  const document = given === undefined ? {} : await readDocument(context, input, given)
  const named = document.working_directory ?? document.work_dir ?? document.repo_path
  const typed = await folderOption(context, input, 'repo')
  if (typed === undefined && named !== undefined && !(await isFolder(named)))
    throw mistake('--task: working_directory', 'a folder', JSON.stringify(named))
  return { document, folder: typed ?? named ?? context.cwd }
}

/** The task of seed 004, 3.2. What is typed takes the place of what the document says; focus and requirements come together. */
export function taskOf(
  input: CommandInput,
  { document, folder }: TaskAsked,
  about: { review_type: ReviewTask['review_type']; digest: string },
): ReviewTask {
  const { task_id, review_type, task_desc, priority_focus = [], extra_requirements = [] } = document
  if (review_type !== undefined && review_type !== about.review_type)
    throw mistake('--task: review_type', `${about.review_type}, as what is reviewed`, JSON.stringify(review_type))
  const typedFocus = (textOption(input, 'focus') ?? '').split(',').map((word) => word.trim())
  const focus = [...priority_focus, ...typedFocus.filter((word) => word !== '')]
  return parseContract(
    ReviewTask,
    {
      task_id: textOption(input, 'taskId') ?? task_id ?? `task_review:${about.digest}`,
      review_type: about.review_type,
      working_directory: folder,
      task_desc,
      priority_focus: [...new Set(focus)],
      extra_requirements: [...new Set([...extra_requirements, ...manyOption(input, 'require')])],
    },
    'review',
  )
}

async function readDocument(context: Context, input: CommandInput, given: string): Promise<ReviewTaskDocument> {
  const others = ['snippet', 'patch'].filter((name) => textOption(input, name) === '-')
  if (given === '-' && others[0] !== undefined)
    throw mistake('--task', `a file, since --${others[0]} is stdin`, JSON.stringify(given))
  const { text } = await readInput(context, { given, what: 'a task', maxBytes: MOST_TASK_BYTES, option: '--task' })
  return parseJson(ReviewTaskDocument, text, '--task')
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}
