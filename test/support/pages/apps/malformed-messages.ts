/**
 * Messages that no correct app sends, by kind of malformation.
 *
 * @module
 */

const call = (id: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'free', arguments: {} },
  ...more,
})

export const MALFORMED_MESSAGES: Readonly<Record<string, () => readonly unknown[]>> = {
  'values that are not objects': () => [
    null,
    undefined,
    0,
    NaN,
    '',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    true,
    [],
    [call(1001)],
    10n,
  ],
  'objects of other kinds': () => [
    new Map([['jsonrpc', '2.0']]),
    new Set([1]),
    new Date(),
    /x/,
    new Error('x'),
    new Blob(['x']),
    new ArrayBuffer(8),
    new Uint8Array(1000),
    Object.assign([], call(1001)),
    { ...call(1001), params: new Map() },
    { ...call(1001), params: { name: 'free', arguments: new Date() } },
  ],
  circles: () => {
    const circle: Record<string, unknown> = { ...call(1001) }
    circle['params'] = circle
    const list: unknown[] = []
    list.push(list)
    return [circle, { ...call(1002), params: { name: 'free', arguments: { list } } }]
  },
  'a depth of ten thousand': () => {
    let deep: unknown = 1
    for (let index = 0; index < 10_000; index++) deep = { deep }
    return [{ ...call(1001), params: { name: 'free', arguments: { deep } } }]
  },
  'ids of strange types': () =>
    [null, {}, [], true, NaN, Infinity, -0, 1.5, '', 'x'.repeat(100_000), '__proto__'].map((id) =>
      call(id),
    ),
  'the same id twice': () => [call('same'), call('same'), call('same')],
  'responses without a request': () => [
    { jsonrpc: '2.0', id: 1001, result: {} },
    { jsonrpc: '2.0', id: 'x', result: {} },
    { jsonrpc: '2.0', id: 1001, error: { code: 'x', message: {} } },
    { jsonrpc: '2.0', id: 1001, result: {}, error: {} },
  ],
  'names of the prototype': () =>
    ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'].flatMap((name) => [
      { jsonrpc: '2.0', id: name, method: name, params: {} },
      { jsonrpc: '2.0', method: name, params: {} },
      call(name, { params: { name, arguments: {} } }),
    ]),
  'a polluting __proto__': () => {
    const polluting = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    )
    return [
      { ...call(1001), params: { name: 'free', arguments: polluting, _meta: polluting } },
      { jsonrpc: '2.0', id: 1002, method: 'ui/update-model-context', params: polluting },
      { jsonrpc: '2.0', id: 1003, method: 'ui/initialize', params: polluting },
      { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: polluting },
    ]
  },
  'other versions': () => [
    { ...call(1001), jsonrpc: '1.0' },
    { ...call(1002), jsonrpc: 2 },
    { id: 1003, method: 'tools/call', params: { name: 'free' } },
  ],
  'params of strange types': () =>
    [null, 0, '', 'x', [], [1], true].flatMap((params) => [
      { jsonrpc: '2.0', id: 1001, method: 'tools/call', params },
      { jsonrpc: '2.0', id: 1002, method: 'ui/open-link', params },
      { jsonrpc: '2.0', id: 1003, method: 'ui/message', params },
      { jsonrpc: '2.0', id: 1004, method: 'ui/initialize', params },
      { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params },
      { jsonrpc: '2.0', method: 'notifications/message', params },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params },
    ]),
  'calls of strange names': () =>
    [null, 0, {}, [], '', ' ', '../free', 'free\n', 'x'.repeat(1_000_000)].map((name, index) =>
      call(1000 + index, { params: { name, arguments: {} } }),
    ),
  'a message of 10 MB': () => [
    call(1001, { params: { name: 'free', arguments: { text: 'x'.repeat(10_000_000) } } }),
  ],
  'a message of 10 MB in small pieces': () => [
    call(1001, { params: { name: 'free', arguments: { list: Array(2_000_000).fill(1) } } }),
  ],
}
