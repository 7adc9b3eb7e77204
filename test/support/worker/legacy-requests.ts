/**
 * Requests of the legacy era for the comparison of direct answers with those of the SDK: plain ones, and ones that
 * are unusual, malformed or hostile.
 *
 * @module
 */

/** A request: its message as text or data, and headers that replace those of a usual client. */
export interface LegacyRequest {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Named = readonly [name: string, request: LegacyRequest]

const message = (method: string, params?: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params !== undefined && { params }),
  ...more,
})

const call = (name: unknown, args?: unknown, more: object = {}) =>
  message('tools/call', { name, ...(args !== undefined && { arguments: args }), ...more })

const READ = call('read_file', { path: 'a' })
const read = (more: object) => ({ body: { ...READ, ...more } })
const readWith = (meta: unknown) => ({ body: call('read_file', { path: 'a' }, { _meta: meta }) })
const readBy = (headers: Record<string, string>) => ({ body: READ, headers })
const named = (name: string, args?: object, meta?: object): Named => [
  `${name} ${JSON.stringify(args)} ${JSON.stringify(meta)}`,
  { body: call(name, args, meta && { _meta: meta }) },
]

/** Requests that are answered directly. */
export const PLAIN: readonly Named[] = [
  ['ping', { body: message('ping') }],
  ['ping with params', { body: message('ping', {}) }],
  ['tools/list', { body: message('tools/list') }],
  ['tools/list with metadata', { body: message('tools/list', { _meta: { 'a/b': 1 } }) }],
  named('list_roots'),
  named('list_roots', {}),
  named('list_roots', { more: 1 }),
  named('read_file', { path: 'a' }),
  named('read_file', { path: 'missing' }),
  named('read_file', { path: 5 }),
  named('read_file', { path: '../../etc/passwd' }),
  named('read_file', { path: 'pixel.png' }),
  named('read_file', { path: 'a' }, { highlight: true }),
  named('read_file', { path: 'a' }, { highlight: 7 }),
  named('read_file', { path: 'a' }, { denied_scopes: 'read:file:/a' }),
  named('read_file', { path: 'a' }, { policy: { roots: [{ path: '/b' }] } }),
  named('read_file', { path: 'a' }, { policy: 'no policy' }),
  named('read_file', { path: 'a' }, { 'claudecode/toolUseId': 'toolu_1' }),
  named('read_multiple_files', { paths: ['a', 'missing', 'b/c'] }),
  named('find_files', { limit: 1 }),
  named('list_folder', { path: '/' }),
  named('list_changes', {}),
  named('open_board', {}),
  named('file_history', { path: 'a' }),
  named('write_file', { path: 'new', content: 'new' }, { preview: true }),
  named('write_file', { path: 'new', content: 'new' }),
  named('edit_file', { path: 'new', edits: [{ old_text: 'new', new_text: 'newer' }] }),
  named('move_file', { from: 'new', to: 'moved' }),
  named('delete_file', { path: 'moved' }),
  named('delete_file', { path: 'moved' }),
  named('create_checkpoint', { name: 'here' }),
  named('create_checkpoint', { name: 'here' }, { preview: true }),
  named('delegate', { label: 'helper' }),
  named('no_such_tool', {}),
  named(''),
  ['an empty id', read({ id: '' })],
  ['a text as id', read({ id: 'é"\n\u2028' })],
  ['a negative id', read({ id: -5 })],
  ['a large id', read({ id: Number.MAX_SAFE_INTEGER })],
  ...['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map(
    (version): Named => [`header ${version}`, readBy({ 'mcp-protocol-version': version })],
  ),
  ['a charset', readBy({ 'content-type': 'application/json; charset=utf-8' })],
  ['a type in capitals', readBy({ 'content-type': 'Application/JSON' })],
  ['an empty parameter', readBy({ 'content-type': 'application/json;' })],
  ['types with weights', readBy({ accept: 'text/event-stream;q=0.1, application/json, */*' })],
  ['null as arguments', { body: call('read_file', null) }],
  ['null as metadata', readWith(null)],
  ['anything accepted', readBy({ accept: '*/*' })],
  ['headers of the modern era', readBy({ 'mcp-method': 'tools/list', 'mcp-name': 'x' })],
  ['one more member', read({ more: 1 })],
  ['capitals accepted', readBy({ accept: 'Application/JSON, text/event-stream' })],
]

/** Requests that the SDK answers: they need more than a result, or only the SDK decides what is wrong. */
export const UNUSUAL: readonly Named[] = [
  named('search_files', { pattern: 'one' }),
  named('draft_status', {}),
  ['resources/list', { body: message('resources/list') }],
  ['resources/read', { body: message('resources/read', { uri: 'file:///a' }) }],
  ['resources/read of nothing', { body: message('resources/read', { uri: 'file:///none' }) }],
  ['tools/list with a cursor', { body: message('tools/list', { cursor: 'x' }) }],
  ['tools/list with an invalid cursor', { body: message('tools/list', { cursor: 5 }) }],
  ['tools/list with a list', { body: message('tools/list', []) }],
  ['an unknown method', { body: message('no/such') }],
  ['the name of a member', { body: message('constructor') }],
  ['a method of the modern era', { body: message('server/discover') }],
  ['initialize', { body: message('initialize', { protocolVersion: '2025-11-25' }) }],
  ['a notification', { body: { jsonrpc: '2.0', method: 'notifications/initialized' } }],
  ['a cancellation', { body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} } }],
  ['a response', { body: { jsonrpc: '2.0', id: 1, result: {} } }],
  ['a call without id', { body: { jsonrpc: '2.0', method: 'tools/call', params: READ.params } }],
  ['another JSON-RPC', read({ jsonrpc: '1.0' })],
  ['null as id', read({ id: null })],
  ['a fraction as id', read({ id: 1.5 })],
  ['an id that is too large', read({ id: 1e300 })],
  ['an id that is too long', read({ id: 'x'.repeat(5_000) })],
  ['an object as id', read({ id: {} })],
  ['no params', { body: message('tools/call') }],
  ['null as params', read({ params: null })],
  ['text as params', read({ params: 'read_file' })],
  ['a list as params', read({ params: ['read_file'] })],
  ['no name', { body: message('tools/call', { arguments: {} }) }],
  ['a number as name', { body: call(5) }],
  ['a list as name', { body: call(['read_file']) }],
  ['a list as arguments', { body: call('read_file', []) }],
  ['text as arguments', { body: call('read_file', 'a') }],
  ['a task', { body: call('read_file', { path: 'a' }, { task: { ttl: 1 } }) }],
  ['an invalid task', { body: call('read_file', { path: 'a' }, { task: 5 }) }],
  ['a state', { body: call('read_file', { path: 'a' }, { requestState: 'x' }) }],
  ['an invalid state', { body: call('read_file', { path: 'a' }, { requestState: 5 }) }],
  ['responses', { body: call('read_file', { path: 'a' }, { inputResponses: {} }) }],
  ['a list as metadata', readWith([])],
  ['a progress token', readWith({ progressToken: 1 })],
  ['an invalid progress token', readWith({ progressToken: {} })],
  ['a log level', readWith({ 'io.modelcontextprotocol/logLevel': 'debug' })],
  ['a related task', readWith({ 'io.modelcontextprotocol/related-task': { taskId: 'x' } })],
  ['an invalid related task', readWith({ 'io.modelcontextprotocol/related-task': 5 })],
  ['capabilities', readWith({ 'io.modelcontextprotocol/clientCapabilities': {} })],
  ['__proto__ in the params', { body: withProto(JSON.stringify(READ), '"params":{') }],
  ['__proto__ in the arguments', { body: withProto(JSON.stringify(READ), '"arguments":{') }],
  ['__proto__ in the metadata', { body: withProto(JSON.stringify(readWith({}).body), '_meta":{') }],
  ['a batch', { body: [READ, { ...READ, id: 2 }] }],
  ['an empty batch', { body: [] }],
  ['a batch of one', { body: [READ] }],
  ['null', { body: null }],
  ['no JSON', { body: '{"jsonrpc":' }],
  ['nothing', { body: '' }],
  ['too deep', { body: `${'['.repeat(100)}${']'.repeat(100)}` }],
  ['an unknown header version', readBy({ 'mcp-protocol-version': '2099-01-01' })],
  ['the modern header version', readBy({ 'mcp-protocol-version': '2026-07-28' })],
  ['an empty header version', readBy({ 'mcp-protocol-version': '' })],
  ['two header versions', readBy({ 'mcp-protocol-version': '2025-11-25, 2025-06-18' })],
  ['only JSON accepted', readBy({ accept: 'application/json' })],
  ['only streams accepted', readBy({ accept: 'text/event-stream' })],
  ['text', readBy({ 'content-type': 'text/plain' })],
  ['text with a parameter', readBy({ 'content-type': 'text/plain; a=application/json' })],
  ['two types', readBy({ 'content-type': 'application/json, text/plain' })],
  ['two types after a parameter', readBy({ 'content-type': 'application/json; a, text/plain' })],
  ['another JSON type', readBy({ 'content-type': 'application/json-rpc' })],
]

/** Adds a member `__proto__` to JSON text, which no object literal can have. */
function withProto(text: string, after: string): string {
  const member = `"__proto__":{"name":"list_roots","limit":1}`
  const at = text.indexOf(after) + after.length
  return `${text.slice(0, at)}${member}${text[at] === '}' ? '' : ','}${text.slice(at)}`
}

/** A call with a member `__proto__` beside those of JSON-RPC, and the same call without it. */
export const WITH_PROTO: readonly [LegacyRequest, LegacyRequest] = [
  { body: withProto(JSON.stringify(READ), '{') },
  { body: READ },
]
