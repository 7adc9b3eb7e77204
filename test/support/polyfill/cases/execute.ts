/**
 * `executeTool()`: what a call takes, what it answers, and how it is called off.
 *
 * @module
 */

import type { ExecuteToolOptions } from '../../../../polyfill/types.ts'
import { type Cases, CRASHES, failure, type Page, settled, spied, untyped } from './case.ts'

/** What a tool that answers `value` comes back as. */
const result = (value: unknown) => async (page: Page) => {
  await page.register({ execute: () => value })
  return failureOr(() => page.call())
}

/** What arrives at the tool. */
const arriving = (input?: object) => async (page: Page) => {
  let seen: unknown
  await page.register({ execute: (given: unknown) => void (seen = given) })
  await page.call(input)
  return seen
}

/** How a call with these parts instead of the right ones fails. */
const refusal =
  (parts: object, ...rest: unknown[]) =>
  async (page: Page) => {
    await page.register()
    const tool = { ...(await page.copied()), ...parts }
    return failure(() => untyped(page.context).executeTool(tool, ...rest))
  }

async function failureOr(action: () => unknown): Promise<unknown> {
  try {
    return await action()
  } catch (error) {
    return error instanceof DOMException ? { fails: error.name } : String(error)
  }
}

const circular: Record<string, unknown> = {}
circular['self'] = circular
const FAILS = { fails: 'UnknownError' }

export const execute: Cases = {
  'leaves a string as it is': { run: result('hello'), want: 'hello' },
  'keeps an empty string': {
    run: result(''),
    want: '',
    native: 'Operation succeeded',
  },
  'writes undefined as such': { run: result(undefined), want: 'undefined' },
  'writes a function as undefined': { run: result(() => 1), want: 'undefined' },
  'writes null': { run: result(null), want: 'null' },
  'writes numbers': { run: result(5), want: '5' },
  'writes NaN': { run: result(NaN), want: 'NaN' },
  'writes a BigInt': { run: result(10n), want: '10' },
  'writes a boolean': { run: result(true), want: 'true' },
  'writes a date as JSON': { run: result(new Date(0)), want: '"1970-01-01T00:00:00.000Z"' },
  'writes an object as JSON': { run: result({ a: [undefined] }), want: '{"a":[null]}' },
  'writes a boxed string as JSON': { run: result(Object('boxed')), want: '"boxed"' },
  'writes what writes itself as nothing': { run: result({ toJSON() {} }), want: 'undefined' },
  'waits for a promise': { run: result(Promise.resolve('later')), want: 'later' },
  'fails when the tool throws': {
    async run(page) {
      await page.register({
        execute() {
          throw new RangeError('mine')
        },
      })
      return failure(() => page.call())
    },
    want: 'UnknownError',
  },
  'fails when the tool rejects': {
    async run(page) {
      await page.register({ execute: () => Promise.reject(new RangeError('mine')) })
      return failure(() => page.call())
    },
    want: 'UnknownError',
  },
  'fails when the result is a symbol': { run: result(Symbol()), want: FAILS, native: CRASHES },
  'fails when the result is circular': { run: result(circular), want: FAILS },
  'passes a copy of an object': {
    async run(page) {
      const input = { a: { b: 1 } }
      return [await arriving(input)(page), (await page.listed()).name]
    },
    want: [{ a: { b: 1 } }, 'tool'],
  },
  'passes a list on': { run: arriving([1, 2]), want: [1, 2] },
  'passes a date as text': {
    run: arriving({ at: new Date(0) }),
    want: { at: '1970-01-01T00:00:00.000Z' },
  },
  'makes an empty object of no input': { run: arriving(), want: {} },
  'makes an empty object of undefined before options': {
    run: refusal({}, undefined, {}),
    want: 'nothing',
    native: 'TypeError',
  },
  'passes input that the schema does not allow': {
    async run(page) {
      let seen: unknown
      const inputSchema = { type: 'object', required: ['a'] }
      await page.register({ inputSchema, execute: (input: unknown) => void (seen = input) })
      await page.call({ b: 1 })
      return seen
    },
    want: { b: 1 },
  },
  'calls with two arguments and without this': {
    async run(page) {
      let seen: unknown
      await page.register({
        execute(this: unknown, ...args: { signal?: unknown }[]) {
          seen = [this === undefined, args.length, args[1]?.signal instanceof AbortSignal]
        },
      })
      await page.call()
      return seen
    },
    want: [true, 2, true],
  },
  'gives the tool a signal that has not aborted': {
    async run(page) {
      let seen: unknown
      await page.register({
        execute: (_: object, { signal }: { signal: AbortSignal }) => void (seen = signal.aborted),
      })
      await page.call()
      return seen
    },
    want: false,
  },
  'takes no null for input': { run: refusal({}, null), want: 'TypeError' },
  'takes no text for input': { run: refusal({}, '{}'), want: 'TypeError' },
  'takes no number for input': { run: refusal({}, 5), want: 'TypeError' },
  'takes no function for input': { run: refusal({}, () => 1), want: 'TypeError' },
  'takes no circular input': { run: refusal({}, circular), want: 'TypeError' },
  'refuses input whose toJSON returns undefined': {
    run: refusal({}, { toJSON() {} }),
    want: 'TypeError',
  },
  'passes errors thrown by the input': {
    run: refusal(
      {},
      {
        toJSON() {
          throw new RangeError('mine')
        },
      },
    ),
    want: 'RangeError',
  },
  'refuses input that writes itself as text, in words that consumers know, before anything runs': {
    async run(page) {
      let ran = false
      await page.register({ execute: () => (ran = true) })
      const tool = await page.listed()
      const call = page.context.executeTool(tool, { toJSON: () => 'text' })
      const words = await call.catch(({ name, message }: DOMException) => [
        name,
        message.startsWith('Failed to parse input'),
      ])
      return [words, ran]
    },
    want: [['UnknownError', true], false],
  },
  'refuses a name in place of a tool': {
    run: ({ context }) => failure(() => untyped(context).executeTool('tool')),
    want: 'TypeError',
  },
  'needs a name': { run: refusal({ name: undefined }), want: 'TypeError' },
  'needs a description': { run: refusal({ description: undefined }), want: 'TypeError' },
  'needs a window': { run: refusal({ window: undefined }), want: 'TypeError' },
  'needs an origin': { run: refusal({ origin: undefined }), want: 'TypeError' },
  'takes no other object for a window': { run: refusal({ window: {} }), want: 'TypeError' },
  'reads no schema of a copy': {
    run: refusal({ inputSchema: '{}', annotations: 5 }),
    want: 'nothing',
    native: 'TypeError',
  },
  'takes a copy whose members are null': {
    run: refusal({ inputSchema: null, annotations: null }),
    want: 'nothing',
    native: 'TypeError',
  },
  'takes no spread of a tool, which is empty': {
    async run(page) {
      await page.register()
      const copy = { ...(await page.listed()) }
      return failure(() => page.context.executeTool(copy))
    },
    want: 'TypeError',
    native: 'nothing',
  },
  'does not call another tool that has the name since': {
    async run(page) {
      const over = new AbortController()
      let ran = false
      await page.register({}, { signal: over.signal })
      const tool = await page.listed()
      over.abort()
      await page.register({ execute: () => (ran = true) })
      return [await failure(() => page.context.executeTool(tool)), ran]
    },
    want: ['UnknownError', false],
    native: ['nothing', true],
  },
  'calls by name what a copy names': {
    async run(page) {
      const over = new AbortController()
      await page.register({}, { signal: over.signal })
      const copy = await page.copied()
      over.abort()
      await page.register({ execute: () => 'the other' })
      return page.context.executeTool(copy)
    },
    want: 'the other',
  },
  'refuses an invalid origin': { run: refusal({ origin: 'nope' }), want: 'NotSupportedError' },
  'refuses an opaque origin': { run: refusal({ origin: 'data:,' }), want: 'NotSupportedError' },
  'checks the origin before the input': {
    run: refusal({ origin: 'nope' }, null),
    want: 'NotSupportedError',
  },
  'checks the input before the signal': {
    run: refusal({}, circular, { signal: AbortSignal.abort('mine') }),
    want: 'TypeError',
  },
  'checks the signal before the tool': {
    run: refusal({ name: 'other' }, {}, { signal: AbortSignal.abort('mine') }),
    want: 'mine',
  },
  'takes no other object for a signal': { run: refusal({}, {}, { signal: {} }), want: 'TypeError' },
  'does not know other tools': { run: refusal({ name: 'other' }), want: 'UnknownError' },
  'finds no tools of other origins': {
    run: refusal({ origin: 'https://a.example' }),
    want: 'UnknownError',
  },
  'accepts the origin of any URL': {
    run: refusal({ origin: `${location.origin}/path?query` }),
    want: 'nothing',
  },
  'requires only name, window and origin': {
    run: refusal({ title: 'other', description: 'other', inputSchema: {} }),
    want: 'nothing',
  },
  'does not call a tool that was removed meanwhile': {
    async run(page) {
      const over = new AbortController()
      let ran = false
      await page.register({ execute: () => (ran = true) }, { signal: over.signal })
      const call = page.context.executeTool(await page.listed())
      over.abort()
      return [await failure(() => call), ran]
    },
    want: ['UnknownError', false],
  },
  'reads members of a copy once, in order of their names': {
    async run(page) {
      await page.register({ annotations: {}, inputSchema: {} })
      const log: string[] = []
      const annotations = spied({}, 'annotations', log)
      await page.context.executeTool(
        spied({ ...(await page.copied()), annotations }, 'tool', log),
        {},
        spied<ExecuteToolOptions>({}, 'options', log),
      )
      return log
    },
    want: [
      'tool.description',
      'tool.name',
      'tool.origin',
      'tool.source',
      'tool.window',
      'options.signal',
    ],
    native: [
      'tool.annotations',
      'annotations.consequentialHint',
      'annotations.debugging',
      'annotations.readOnlyHint',
      'annotations.untrustedContentHint',
      'tool.description',
      'tool.inputSchema',
      'tool.name',
      'tool.origin',
      'tool.title',
      'tool.window',
      'options.signal',
    ],
  },
  'rejects within a microtask when the signal has aborted': {
    async run(page) {
      await page.register()
      const tool = await page.listed()
      let seen: unknown
      const options = { signal: AbortSignal.abort('mine') }
      page.context.executeTool(tool, {}, options).catch((reason: unknown) => (seen = reason))
      await Promise.resolve()
      return seen
    },
    want: 'mine',
  },
  'rejects, then aborts the signal, then fires toolcancel': {
    async run(page) {
      const seen: string[] = []
      const started = Promise.withResolvers<void>()
      await page.register({
        execute(_: object, { signal }: { signal: AbortSignal }) {
          started.resolve()
          signal.onabort = () => {
            const { reason } = signal as { reason: unknown }
            seen.push(`signal ${reason instanceof DOMException ? reason.name : 'mine'}`)
          }
          return new Promise(() => {})
        },
      })
      const over = new AbortController()
      const note = ({ type, toolName }: { type: string; toolName: string }) =>
        seen.push(`${type} ${toolName}`)
      page.context.ontoolcancel = note
      const call = page.context.executeTool(await page.listed(), {}, { signal: over.signal })
      const rejected = call.catch((reason: unknown) => seen.push(`rejected ${String(reason)}`))
      await started.promise
      over.abort('mine')
      await rejected
      await settled()
      page.context.ontoolcancel = null
      return seen
    },
    want: ['rejected mine', 'signal AbortError', 'toolcancel tool'],
  },
  'starts a call that is aborted right away, and aborts it then': {
    async run(page) {
      const seen: string[] = []
      await page.register({
        execute(_: object, { signal }: { signal: AbortSignal }) {
          seen.push(`started ${signal.aborted}`)
          signal.onabort = () => seen.push('aborted')
          return new Promise(() => {})
        },
      })
      const over = new AbortController()
      const call = page.context.executeTool(await page.listed(), {}, { signal: over.signal })
      over.abort()
      seen.push(await failure(() => call))
      await settled()
      return seen
    },
    want: ['AbortError', 'started false', 'aborted'],
  },
  'goes on when a script dispatches abort at the signal': {
    async run(page) {
      await page.register({ execute: () => settled(30).then(() => 'whole') })
      const over = new AbortController()
      const call = page.context.executeTool(await page.listed(), {}, { signal: over.signal })
      over.signal.dispatchEvent(new Event('abort'))
      return call
    },
    want: 'whole',
  },
  'ignores a result that comes after the abort': {
    async run(page) {
      const started = Promise.withResolvers<void>()
      await page.register({
        execute: (_: object, { signal }: { signal: AbortSignal }) => {
          started.resolve()
          return new Promise((resolve) => (signal.onabort = () => resolve('late')))
        },
      })
      const over = new AbortController()
      const call = page.context.executeTool(await page.listed(), {}, { signal: over.signal })
      await started.promise
      over.abort('mine')
      return failure(() => call)
    },
    want: 'mine',
  },
  'fires nothing for an abort after the call': {
    async run(page) {
      await page.register()
      const over = new AbortController()
      let cancelled = 0
      page.context.ontoolcancel = () => cancelled++
      await page.context.executeTool(await page.listed(), {}, { signal: over.signal })
      over.abort()
      await settled()
      page.context.ontoolcancel = null
      return cancelled
    },
    want: 0,
  },
  'separates calls of one tool': {
    async run(page) {
      const signals: AbortSignal[] = []
      const gate = Promise.withResolvers<string>()
      await page.register({
        execute(_: object, { signal }: { signal: AbortSignal }) {
          signals.push(signal)
          return signals.length === 1 ? new Promise(() => {}) : gate.promise
        },
      })
      const tool = await page.listed()
      const over = new AbortController()
      const one = page.context.executeTool(tool, {}, { signal: over.signal })
      const two = page.context.executeTool(tool, {}, { signal: new AbortController().signal })
      await settled()
      over.abort('one')
      const ended = await failure(() => one)
      await settled()
      gate.resolve('two')
      return [ended, await two, signals.map(({ aborted }) => aborted)]
    },
    want: ['one', 'two', [true, false]],
  },
  'passes an abort on to a call within a call': {
    run: (page) => nested(page, (over, started) => void started.then(() => over.abort('mine'))),
    want: ['mine', 'aborted inner', 'aborted outer', 'toolcancel inner', 'toolcancel outer'],
  },
  'lets a call within a call abort its caller': {
    run: (page) => nested(page, (over) => ({ inner: () => over.abort('mine') })),
    want: ['mine', 'aborted inner', 'aborted outer', 'toolcancel inner', 'toolcancel outer'],
  },
}

/** Calls a tool that calls another one with its own signal, and notes how both end, sorted. */
async function nested(
  page: Page,
  prepare: (over: AbortController, started: Promise<void>) => { inner: () => void } | void,
): Promise<unknown[]> {
  const { context } = page
  const log: string[] = []
  const over = new AbortController()
  const started = Promise.withResolvers<void>()
  const hooks = prepare(over, started.promise)
  const find = async (name: string) => (await context.getTools()).find((one) => one.name === name)
  context.ontoolcancel = ({ toolName }) => void log.push(`toolcancel ${toolName}`)
  const note = (name: string, signal: AbortSignal) =>
    signal.addEventListener('abort', () => log.push(`aborted ${name}`))
  await page.register({
    name: 'inner',
    execute(_: object, { signal }: { signal: AbortSignal }) {
      note('inner', signal)
      hooks?.inner()
      started.resolve()
      return new Promise(() => {})
    },
  })
  await page.register({
    name: 'outer',
    async execute(_: object, { signal }: { signal: AbortSignal }) {
      note('outer', signal)
      const tool = await find('inner')
      return tool && context.executeTool(tool, {}, { signal })
    },
  })
  const tool = await find('outer')
  const reason = await failure(() => tool && context.executeTool(tool, {}, over))
  await settled()
  context.ontoolcancel = null
  return [reason, ...log.sort()]
}
