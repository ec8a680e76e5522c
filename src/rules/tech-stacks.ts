import { LANGUAGES } from './tech-stack-languages.js'
import { hint, type TechStackRow } from './tech-stack-topics.js'

const FRAMEWORKS: readonly TechStackRow[] = [
  {
    name: 'FastAPI',
    kind: 'framework',
    aliases: ['fastapi'],
    hints: {
      validation: hint('declare a Pydantic model as the body or parameter type', '用 Pydantic 模型声明请求体和参数'),
      auth: hint('put the check into a dependency: Depends or Security', '把校验放进依赖项: Depends 或 Security'),
      blocking_call: hint(
        'in async def await an async client, or declare the route with def',
        'async def 中使用异步客户端，或改用 def 路由',
        1,
      ),
      n_plus_one: hint(
        'load relations at once: selectinload or joinedload',
        '用 selectinload 或 joinedload 一次加载关联',
      ),
      resource_leak: hint(
        'open and close it in a dependency with yield, or in lifespan',
        '在带 yield 的依赖项或 lifespan 中打开并关闭',
      ),
      error_handling: hint(
        'raise HTTPException or register an exception handler',
        '抛出 HTTPException 或注册异常处理器',
      ),
    },
  },
  {
    name: 'React',
    kind: 'framework',
    aliases: ['react', 'next js', 'nextjs', 'reactjs'],
    hints: {
      xss: hint(
        'render text as children; sanitise before dangerouslySetInnerHTML',
        '以子节点渲染文本；使用 dangerouslySetInnerHTML 前先净化',
        1,
      ),
      rerender: hint(
        'keep props stable: useMemo, useCallback, memo, state near its use',
        '保持 props 稳定: useMemo、useCallback、memo，状态就近放置',
        1,
      ),
      memory_leak: hint('return a clean-up function from useEffect', '在 useEffect 中返回清理函数'),
      race_condition: hint(
        'ignore or abort outdated requests in the clean-up of useEffect',
        '在 useEffect 清理函数中忽略或中止过期请求',
      ),
      error_handling: hint('catch rendering errors in an error boundary', '用错误边界捕获渲染错误'),
      complexity: hint('move logic into a custom hook, split the component', '把逻辑移入自定义 Hook，拆分组件'),
      secrets: hint(
        'whatever is bundled is public: keep it on the server',
        '打包进前端的内容都是公开的: 请放在服务端',
        1,
      ),
    },
  },
  {
    name: 'Spring',
    kind: 'framework',
    aliases: ['spring', 'spring boot', 'springboot'],
    hints: {
      sql_injection: hint(
        'named parameters in @Query or JdbcTemplate, no string building',
        '在 @Query 或 JdbcTemplate 中使用命名参数，不拼接字符串',
      ),
      validation: hint('@Valid with Bean Validation on a request DTO', '在请求 DTO 上使用 @Valid 和 Bean Validation'),
      auth: hint('a SecurityFilterChain rule or @PreAuthorize', '使用 SecurityFilterChain 规则或 @PreAuthorize'),
      n_plus_one: hint('@EntityGraph, join fetch or a batch size', '使用 @EntityGraph、join fetch 或批量抓取', 1),
      race_condition: hint(
        'beans are shared: no mutable fields; @Version for rows',
        'Bean 是共享的: 不要有可变字段；数据行用 @Version',
      ),
      error_handling: hint('map exceptions in a @RestControllerAdvice', '在 @RestControllerAdvice 中统一处理异常'),
      secrets: hint('take it from the environment or a config server', '从环境变量或配置中心读取'),
    },
  },
]

const CONSTRAINTS: readonly TechStackRow[] = [
  {
    name: 'async/await',
    kind: 'constraint',
    aliases: ['async', 'asyncio', 'async await', 'non blocking'],
    hints: {
      blocking_call: hint(
        'nothing that blocks in async code: await it or move it to a thread',
        '异步代码中不得阻塞: 改为 await 或移到线程',
        1,
      ),
      race_condition: hint(
        'state may change at every await: check again or lock',
        '每个 await 处状态都可能改变: 重新检查或加锁',
      ),
      n_plus_one: hint('fetch in one query, or gather with a limit', '合并为一次查询，或限量并发'),
    },
  },
  {
    name: 'Pydantic',
    kind: 'constraint',
    aliases: ['pydantic'],
    hints: {
      validation: hint(
        'Field limits, field_validator, model_validate (version 2 names)',
        '使用 Field 约束、field_validator、model_validate (v2 名称)',
      ),
      type_safety: hint('typed models in the place of dict, extra="forbid"', '用带类型的模型代替 dict，extra="forbid"'),
      secrets: hint('SecretStr within BaseSettings', '在 BaseSettings 中使用 SecretStr'),
    },
  },
  {
    name: 'strict types',
    kind: 'constraint',
    aliases: ['strict', 'strict mode', 'mypy', 'pyright', 'no any'],
    hints: {
      type_safety: hint('the checker must pass without new exceptions', '类型检查必须通过且不新增例外', 1),
      null_safety: hint('handle the missing case where the type allows it', '在类型允许缺失处处理缺失情况', 1),
    },
  },
  {
    name: 'no unsafe',
    kind: 'constraint',
    aliases: ['no unsafe', 'forbid unsafe', 'safe rust'],
    hints: { memory_safety: hint('#![forbid(unsafe_code)] must hold', '必须满足 #![forbid(unsafe_code)]', 1) },
  },
]

/** Frameworks before languages before constraints: what is more particular is said first. A new stack is one row. */
export const TECH_STACKS: readonly TechStackRow[] = [...FRAMEWORKS, ...LANGUAGES, ...CONSTRAINTS]
