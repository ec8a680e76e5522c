/** What a tech stack knows of a topic, and how far the topic moves up among its equals there. */
export interface StackHint {
  en: string
  zh: string
  shift?: number
}

export interface TechStackRow {
  /** As the feedback names it. */
  name: string
  kind: 'framework' | 'language' | 'constraint'
  /** Lower-case words, found as whole words in what the input says: 'spring' in "Spring Boot 3". */
  aliases: readonly string[]
  hints: Partial<Record<Topic, StackHint>>
}

export type Topic = keyof typeof TOPICS

/** Which types of issues are about what: lower-case words that stand together in the type, a number apart from what is before it. */
export const TOPICS = {
  sql_injection: ['sql injection', 'sqli', 'sql 注入'],
  command_injection: ['command injection', 'shell injection', 'os command', 'code injection', '命令注入'],
  xss: ['xss', 'cross site scripting', 'dangerous html', '跨站脚本'],
  path_traversal: ['path traversal', 'directory traversal', 'zip slip', '路径遍历'],
  deserialization: ['deserialization', 'deserialisation', 'unsafe yaml', 'pickle', '反序列化'],
  secrets: ['secret', 'secrets', 'hardcoded', 'hard coded', 'credential', 'credentials', '硬编码'],
  crypto: ['crypto', 'weak hash', 'weak random', 'insecure random', 'md 5', 'sha 1', 'cryptography', '加密', '随机数'],
  validation: ['validation', 'unvalidated input', 'mass assignment', '输入校验', '输入验证'],
  auth: ['auth', 'authentication', 'authorization', 'access control', 'csrf', '认证', '授权', '越权'],
  prototype_pollution: ['prototype pollution', '原型污染'],
  blocking_call: ['blocking call', 'blocking io', 'sync io', 'event loop', 'blocking', '阻塞'],
  n_plus_one: ['n+ 1', 'n 1', 'n plus 1', 'n plus one', 'query in loop', '循环查询'],
  memory_leak: ['memory leak', 'unbounded cache', 'unbounded memory', '内存泄漏'],
  resource_leak: ['resource leak', 'unclosed', 'file descriptor leak', 'connection leak', 'goroutine leak', '资源泄漏'],
  race_condition: ['race', 'race condition', 'data race', 'thread safety', 'concurrency', '竞态', '并发'],
  error_handling: [
    'error handling',
    'exception',
    'swallowed',
    'unhandled',
    'ignored error',
    'unwrap',
    '异常',
    '错误处理',
  ],
  type_safety: [
    'type safety',
    'any type',
    'missing type',
    'type hints',
    'type annotation',
    'unchecked cast',
    '类型安全',
  ],
  null_safety: ['null', 'null pointer', 'npe', 'undefined', 'nil', '空指针'],
  memory_safety: ['buffer overflow', 'use after free', 'out of bounds', 'dangling', 'memory safety', '缓冲区', '越界'],
  allocation: ['allocation', 'string concatenation', 'inefficient loop', 'copy', 'clone', '字符串拼接', '拷贝'],
  complexity: ['complexity', 'long function', 'long method', 'deep nesting', '复杂度', '函数过长'],
  rerender: ['rerender', 're render', 'unnecessary render', 'missing memo', '重复渲染'],
} as const satisfies Record<string, readonly string[]>

/** A cell of the tables. */
export function hint(en: string, zh: string, shift = 0): StackHint {
  return { en, zh, shift }
}
