/**
 * `registerTool()`: every way in which it refuses, in the order in which it looks.
 *
 * @module
 */

import { type Cases, failure, type Page, settled, spied, untyped } from './case.ts'

const execute = () => 'done'
const whole = { name: 'tool', description: 'A tool', execute }
const circular: Record<string, unknown> = {}
circular['self'] = circular

/** Registers what a page without types might pass, and takes a tool away again that came in. */
const refusal = (tool: unknown, options?: object) => (page: Page) => {
  const over = new AbortController()
  const given = options === undefined ? { signal: over.signal } : options
  return failure(() => untyped(page.context).registerTool(tool, given)).finally(() => over.abort())
}

const exposed =
  (...exposedTo: string[]) =>
  (page: Page) =>
    failure(() => page.register({}, { exposedTo }))

export const register: Cases = {
  'needs a tool': { run: refusal(undefined), want: 'TypeError' },
  'needs an object': { run: refusal('tool'), want: 'TypeError' },
  'needs a name': { run: refusal({ description: 'd', execute }), want: 'TypeError' },
  'needs a description': { run: refusal({ name: 'n', execute }), want: 'TypeError' },
  'needs a callback': { run: refusal({ name: 'n', description: 'd' }), want: 'TypeError' },
  'needs a callback that can be called': {
    run: refusal({ ...whole, execute: {} }),
    want: 'TypeError',
  },
  'takes no symbol for a name': { run: refusal({ ...whole, name: Symbol() }), want: 'TypeError' },
  'turns a number into a name': {
    async run(page) {
      await page.register({ name: 42 })
      return (await page.listed('42')).name
    },
    want: '42',
  },
  'mends lone surrogates in the title': {
    async run(page) {
      await page.register({ title: 'a\uD800' })
      return (await page.listed()).title
    },
    want: 'a\uFFFD',
  },
  'takes annotations null': { run: refusal({ ...whole, annotations: null }), want: 'nothing' },
  'takes no text for annotations': {
    run: refusal({ ...whole, annotations: 'a' }),
    want: 'TypeError',
  },
  'takes no text for a schema': {
    run: refusal({ ...whole, inputSchema: '{}' }),
    want: 'TypeError',
  },
  'takes no null for a schema': {
    run: refusal({ ...whole, inputSchema: null }),
    want: 'TypeError',
  },
  'takes no function for a schema': {
    run: refusal({ ...whole, inputSchema() {} }),
    want: 'TypeError',
  },
  'takes a list for a schema': { run: refusal({ ...whole, inputSchema: [] }), want: 'nothing' },
  'takes any schema there may be': {
    run: refusal({ ...whole, inputSchema: { type: 'bogus', $ref: '#/no' } }),
    want: 'nothing',
  },
  'takes a schema that writes itself as text': {
    run: refusal({ ...whole, inputSchema: { toJSON: () => 'text' } }),
    want: 'nothing',
  },
  'takes no schema that writes itself as nothing': {
    run: refusal({ ...whole, inputSchema: { toJSON() {} } }),
    want: 'TypeError',
  },
  'takes no circular schema': {
    run: refusal({ ...whole, inputSchema: circular }),
    want: 'TypeError',
  },
  'takes no BigInt in a schema': {
    run: refusal({ ...whole, inputSchema: { a: 1n } }),
    want: 'TypeError',
  },
  'passes on what a schema throws': {
    run: refusal({
      ...whole,
      inputSchema: {
        toJSON() {
          throw new RangeError('mine')
        },
      },
    }),
    want: 'RangeError',
  },
  'takes no text for a schema of results': {
    run: refusal({ ...whole, outputSchema: '{}' }),
    want: 'TypeError',
    native: 'nothing',
  },
  'takes no circular schema of results': {
    run: refusal({ ...whole, outputSchema: circular }),
    want: 'TypeError',
    native: 'nothing',
  },
  'takes options null': {
    async run({ context }) {
      // Nothing could take this tool away again, so it is one that does not come in.
      return failure(() => untyped(context).registerTool({ ...whole, name: '' }, null))
    },
    want: 'InvalidStateError',
  },
  'takes no number for options': {
    run: ({ context }) => failure(() => untyped(context).registerTool(whole, 5)),
    want: 'TypeError',
  },
  'takes no other object for a signal': {
    run: refusal(whole, { signal: { aborted: false } }),
    want: 'TypeError',
  },
  'takes no null for a signal': { run: refusal(whole, { signal: null }), want: 'TypeError' },
  'takes no text for exposedTo': {
    run: refusal(whole, { exposedTo: 'https://a.example' }),
    want: 'TypeError',
  },
  'takes no null for exposedTo': { run: refusal(whole, { exposedTo: null }), want: 'TypeError' },
  'refuses a taken name': {
    async run(page) {
      await page.register()
      return failure(() => page.register())
    },
    want: 'InvalidStateError',
  },
  'refuses an empty name': { run: refusal({ ...whole, name: '' }), want: 'InvalidStateError' },
  'refuses a name of 129': {
    run: refusal({ ...whole, name: 'n'.repeat(129) }),
    want: 'InvalidStateError',
  },
  'takes a name of 128': { run: refusal({ ...whole, name: 'n'.repeat(128) }), want: 'nothing' },
  'takes every character there is for names': {
    run: refusal({ ...whole, name: 'azAZ09_-.' }),
    want: 'nothing',
  },
  'refuses other characters': {
    run: (page) =>
      Promise.all(
        [' ', 'a b', 'ä', 'a/b', 'a:b', 'a\n', 'a\u0000', '名'].map((name) =>
          failure(() => page.register({ name })),
        ),
      ).then((all) => [...new Set(all)]),
    want: ['InvalidStateError'],
  },
  'refuses an empty description': {
    run: refusal({ ...whole, description: '' }),
    want: 'InvalidStateError',
  },
  'refuses with the reason of an aborted signal': {
    run: refusal(whole, { signal: AbortSignal.abort('mine') }),
    want: 'mine',
  },
  'refuses an invalid origin': { run: exposed('nope'), want: 'SecurityError' },
  'refuses a star': { run: exposed('*'), want: 'SecurityError' },
  'refuses plain http': { run: exposed('http://example.com'), want: 'SecurityError' },
  'refuses a data URL': { run: exposed('data:text/plain,'), want: 'SecurityError' },
  'refuses about:blank': { run: exposed('about:blank'), want: 'SecurityError' },
  'refuses one bad among good': {
    run: exposed('https://a.example', 'nope'),
    want: 'SecurityError',
  },
  'takes secure origins': {
    run: exposed(
      'https://a.example/path?query',
      'wss://a.example',
      'http://localhost:99',
      'http://a.localhost',
      'http://127.9.9.9',
      'http://[::1]:3',
      'file:///a',
      'blob:https://a.example/1',
    ),
    want: 'nothing',
  },
  'looks at the tool before the options': {
    run: refusal({}, { exposedTo: 'text' }),
    want: 'TypeError',
  },
  'looks at the name before the description, the schema, the signal and the origins': {
    run: refusal(
      { ...whole, name: ' ', description: '', inputSchema: { toJSON: () => failNow() } },
      { signal: AbortSignal.abort('mine'), exposedTo: ['nope'] },
    ),
    want: 'InvalidStateError',
  },
  'looks whether a name is taken before it looks at the schema': {
    async run(page) {
      await page.register()
      return failure(() => page.register({ inputSchema: circular, description: '' }))
    },
    want: 'InvalidStateError',
  },
  'looks at the schema before the signal': {
    run: refusal(
      { ...whole, inputSchema: circular },
      { signal: AbortSignal.abort('mine'), exposedTo: ['nope'] },
    ),
    want: 'TypeError',
  },
  'looks at the signal before the origins': {
    run: refusal(whole, { signal: AbortSignal.abort('mine'), exposedTo: ['nope'] }),
    want: 'mine',
  },
  'reads members once, in order of their names': {
    async run({ context }) {
      const log: string[] = []
      const annotations = spied({}, 'annotations', log)
      const over = new AbortController()
      const options = { exposedTo: [], signal: over.signal }
      await context.registerTool(
        spied({ ...whole, annotations }, 'tool', log),
        spied(options, 'options', log),
      )
      over.abort()
      return log
    },
    want: [
      'tool.annotations',
      'annotations.consequentialHint',
      'annotations.debugging',
      'annotations.readOnlyHint',
      'annotations.untrustedContentHint',
      'tool.description',
      'tool.execute',
      'tool.inputSchema',
      'tool.name',
      'tool.outputSchema',
      'tool.title',
      'options.exposedTo',
      'options.signal',
    ],
    native: [
      'tool.annotations',
      'annotations.consequentialHint',
      'annotations.debugging',
      'annotations.readOnlyHint',
      'annotations.untrustedContentHint',
      'tool.description',
      'tool.execute',
      'tool.inputSchema',
      'tool.name',
      'tool.title',
      'options.exposedTo',
      'options.signal',
    ],
  },
  'shows a tool at once': {
    async run(page) {
      const registered = page.register()
      const before = (await page.context.getTools()).length
      await registered
      return before
    },
    want: 1,
  },
  'fires toolchange before its promise resolves': {
    async run({ context }) {
      const seen: string[] = []
      const over = new AbortController()
      const note = () => seen.push('toolchange')
      context.addEventListener('toolchange', note, { signal: over.signal })
      const registered = context.registerTool(whole, { signal: over.signal })
      void Promise.resolve().then(() => seen.push('microtask'))
      await registered
      seen.push('registered')
      over.abort()
      return seen
    },
    want: ['microtask', 'toolchange', 'registered'],
  },
  'fires toolchange for each change, three of three': {
    async run(page) {
      let changes = 0
      page.context.ontoolchange = () => changes++
      await Promise.all(['a', 'b', 'c'].map((name) => page.register({ name })))
      await settled()
      page.context.ontoolchange = null
      return changes
    },
    want: 3,
  },
  'forgets a tool when its signal aborts, and frees the name': {
    async run(page) {
      const over = new AbortController()
      await page.register({}, { signal: over.signal })
      over.abort()
      const left = (await page.context.getTools()).length
      return [left, await failure(() => page.register())]
    },
    want: [0, 'nothing'],
  },
  'keeps a tool when a script dispatches abort at its signal': {
    async run(page) {
      const over = new AbortController()
      await page.register({}, { signal: over.signal })
      over.signal.dispatchEvent(new Event('abort'))
      const kept = (await page.context.getTools()).length
      over.abort()
      return [kept, (await page.context.getTools()).length]
    },
    want: [1, 0],
  },
  'keeps another tool that has taken the name of one whose signal aborted': {
    async run(page) {
      const over = new AbortController()
      await page.register({}, { signal: over.signal })
      over.abort()
      await page.register()
      over.signal.dispatchEvent(new Event('abort'))
      return (await page.context.getTools()).length
    },
    want: 1,
  },
  'converts each origin before it takes the next one': {
    async run(page) {
      const log: string[] = []
      const origin = (name: string) => ({
        toString() {
          log.push(`convert ${name}`)
          return `https://${name}.example`
        },
      })
      function* origins() {
        for (const name of ['a', 'b']) {
          log.push(`take ${name}`)
          yield origin(name)
        }
      }
      const over = new AbortController()
      const options = { exposedTo: origins(), signal: over.signal }
      await untyped(page.context).registerTool(whole, options)
      over.abort()
      return log
    },
    want: ['take a', 'convert a', 'take b', 'convert b'],
  },
  'rejects a registration that is aborted on its way': {
    async run(page) {
      const over = new AbortController()
      const registered = page.register({}, { signal: over.signal })
      over.abort('mine')
      return failure(() => registered)
    },
    want: 'mine',
  },
  'does not cancel a call when the registration ends': {
    async run(page) {
      const over = new AbortController()
      const gate = Promise.withResolvers<void>()
      const seen: boolean[] = []
      const slow = async (_: object, { signal }: { signal: AbortSignal }) => {
        over.abort()
        await gate.promise
        seen.push(signal.aborted)
        return 'whole'
      }
      await page.register({ execute: slow }, { signal: over.signal })
      const call = page.call()
      await settled()
      gate.resolve()
      return [await call, seen, (await page.context.getTools()).length]
    },
    want: ['whole', [false], 0],
  },
}

function failNow(): never {
  throw new RangeError('The schema was read too early')
}
