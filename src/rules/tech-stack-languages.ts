import { hint, type TechStackRow } from './tech-stack-topics.js'

export const LANGUAGES: readonly TechStackRow[] = [
  {
    name: 'Python',
    kind: 'language',
    aliases: ['python', 'py', 'cpython'],
    hints: {
      sql_injection: hint(
        'bind values: cursor.execute(sql, params), no f-strings',
        '绑定参数: cursor.execute(sql, params)，不用 f-string',
      ),
      command_injection: hint('subprocess.run with a list and shell=False', 'subprocess.run 传入列表且 shell=False'),
      path_traversal: hint('Path.resolve(), then is_relative_to(base)', '先 Path.resolve()，再 is_relative_to(base)'),
      deserialization: hint(
        'json, or yaml.safe_load; never pickle for outside data',
        '使用 json 或 yaml.safe_load；外部数据不用 pickle',
        1,
      ),
      secrets: hint('os.environ or a secret store', '使用 os.environ 或密钥管理服务'),
      crypto: hint('the secrets module; hashlib.scrypt for passwords', '使用 secrets 模块；密码用 hashlib.scrypt'),
      resource_leak: hint('a with statement', '使用 with 语句'),
      race_condition: hint(
        'a lock or a queue: the GIL does not make updates atomic',
        '使用锁或队列: GIL 不保证更新的原子性',
      ),
      error_handling: hint('catch the narrowest exception and raise … from it', '捕获最具体的异常并 raise … from'),
      type_safety: hint('annotate it and run mypy or pyright', '添加类型注解并运行 mypy 或 pyright'),
      allocation: hint("''.join, a generator, or a set for look-ups", '使用 join、生成器，或用 set 查找'),
    },
  },
  {
    name: 'TypeScript/Node',
    kind: 'language',
    aliases: ['typescript', 'ts', 'javascript', 'js', 'node', 'nodejs', 'node js', 'deno', 'bun'],
    hints: {
      sql_injection: hint(
        "the driver's placeholders ($1 or ?), no template literals",
        '使用驱动的占位符 ($1 或 ?)，不用模板字符串',
      ),
      command_injection: hint(
        'execFile or spawn with a list, no shell',
        '使用 execFile 或 spawn 传入列表，不经过 shell',
      ),
      path_traversal: hint(
        'path.resolve, then check that path.relative does not begin with ..',
        '先 path.resolve，再确认 path.relative 不以 .. 开头',
      ),
      xss: hint('textContent or an escaping template', '使用 textContent 或自动转义的模板'),
      prototype_pollution: hint(
        'a Map or Object.create(null); refuse __proto__ and constructor',
        '使用 Map 或 Object.create(null)；拒绝 __proto__ 和 constructor',
        1,
      ),
      validation: hint('parse at the edge with a schema', '在边界处用 schema 校验'),
      crypto: hint(
        'crypto.randomUUID or randomBytes, never Math.random',
        '使用 crypto.randomUUID 或 randomBytes，不用 Math.random',
      ),
      blocking_call: hint(
        'fs/promises or a worker thread: one loop serves everybody',
        '使用 fs/promises 或工作线程: 事件循环只有一个',
        1,
      ),
      error_handling: hint(
        'await or catch every promise, narrow the unknown error',
        '每个 Promise 都要 await 或 catch，并收窄 unknown 错误',
      ),
      type_safety: hint('unknown with narrowing in the place of any', '用 unknown 加类型收窄代替 any'),
      null_safety: hint('strictNullChecks; ?. and ?? rather than !', '开启 strictNullChecks；用 ?. 和 ?? 而非 !'),
    },
  },
  {
    name: 'Go',
    kind: 'language',
    aliases: ['go', 'golang'],
    hints: {
      sql_injection: hint(
        'db.QueryContext with placeholders, no fmt.Sprintf',
        '使用带占位符的 db.QueryContext，不用 fmt.Sprintf',
      ),
      command_injection: hint(
        'exec.Command with separate arguments, never sh -c',
        '使用 exec.Command 分开传参，不用 sh -c',
      ),
      path_traversal: hint('os.Root or filepath.IsLocal', '使用 os.Root 或 filepath.IsLocal'),
      crypto: hint('crypto/rand, never math/rand', '使用 crypto/rand，不用 math/rand'),
      resource_leak: hint(
        'defer Close(); end goroutines by their context',
        '使用 defer Close()；用 context 结束 goroutine',
        1,
      ),
      race_condition: hint('a mutex or a channel; test with -race', '使用互斥锁或 channel；用 -race 测试', 1),
      error_handling: hint('return it wrapped: fmt.Errorf("…: %w", err)', '包装后返回: fmt.Errorf("…: %w", err)', 1),
      allocation: hint('strings.Builder, slices with a capacity', '使用 strings.Builder，预分配切片容量'),
    },
  },
  {
    name: 'Java',
    kind: 'language',
    aliases: ['java', 'jdk', 'openjdk'],
    hints: {
      sql_injection: hint('PreparedStatement with ? parameters', '使用带 ? 参数的 PreparedStatement'),
      command_injection: hint('ProcessBuilder with a list of arguments', '使用 ProcessBuilder 传入参数列表'),
      deserialization: hint(
        'an ObjectInputFilter, or JSON without default typing',
        '使用 ObjectInputFilter，或关闭默认类型的 JSON',
        1,
      ),
      path_traversal: hint('normalize(), then startsWith(base)', '先 normalize()，再 startsWith(base)'),
      crypto: hint('SecureRandom; AES/GCM', '使用 SecureRandom 和 AES/GCM'),
      resource_leak: hint('try-with-resources', '使用 try-with-resources'),
      race_condition: hint('java.util.concurrent, final fields', '使用 java.util.concurrent 和 final 字段'),
      null_safety: hint(
        'Optional for return values, requireNonNull at the edge',
        '返回值用 Optional，边界处用 requireNonNull',
      ),
      error_handling: hint('catch the narrowest exception and keep it as the cause', '捕获最具体的异常并保留为 cause'),
      allocation: hint('StringBuilder in loops', '循环中使用 StringBuilder'),
    },
  },
  {
    name: 'Rust',
    kind: 'language',
    aliases: ['rust'],
    hints: {
      memory_safety: hint(
        'a safe abstraction; else SAFETY comments, and run Miri',
        '使用安全抽象；否则写 SAFETY 注释并运行 Miri',
        1,
      ),
      error_handling: hint(
        '? with a typed error in the place of unwrap and expect',
        '用 ? 和具体错误类型代替 unwrap、expect',
      ),
      command_injection: hint('Command::new with .arg for each part', '使用 Command::new 并逐个 .arg'),
      sql_injection: hint('bound parameters, as in sqlx::query!', '绑定参数，例如 sqlx::query!'),
      blocking_call: hint(
        'tokio::task::spawn_blocking or an async API',
        '使用 tokio::task::spawn_blocking 或异步 API',
        1,
      ),
      race_condition: hint(
        'no lock held across .await; Arc<Mutex> or channels',
        '不要跨 .await 持锁；使用 Arc<Mutex> 或 channel',
      ),
      allocation: hint('borrow: &str, slices, Cow', '借用: &str、切片、Cow'),
    },
  },
  {
    name: 'C++',
    kind: 'language',
    aliases: ['c++', 'cpp', 'cxx'],
    hints: {
      memory_safety: hint(
        'std::vector, std::span, unique_ptr; run AddressSanitizer',
        '使用 std::vector、std::span、unique_ptr；运行 AddressSanitizer',
        2,
      ),
      memory_leak: hint(
        'unique_ptr or shared_ptr in the place of new and delete',
        '用 unique_ptr 或 shared_ptr 代替 new 和 delete',
        1,
      ),
      resource_leak: hint('RAII: the destructor releases it', 'RAII: 由析构函数释放', 1),
      race_condition: hint(
        'std::scoped_lock or std::atomic; run ThreadSanitizer',
        '使用 std::scoped_lock 或 std::atomic；运行 ThreadSanitizer',
        1,
      ),
      null_safety: hint('a reference or std::optional in the place of a pointer', '用引用或 std::optional 代替指针'),
      command_injection: hint(
        'no system(): exec functions with separate arguments',
        '不用 system(): 使用 exec 系列函数分开传参',
      ),
      allocation: hint('pass by const reference, move, reserve', '传 const 引用、移动、reserve'),
      error_handling: hint(
        'catch by const reference; noexcept only where it is true',
        '按 const 引用捕获；仅在确实不抛出时标注 noexcept',
      ),
    },
  },
]
