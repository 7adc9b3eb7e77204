/**
 * `getTools()`: what is listed, in what order, and how fresh.
 *
 * @module
 */

import type { Tool } from '../../../../polyfill/types.ts'
import { type Cases, failure, spied, untyped, windowOf } from './case.ts'

/** The members of a tool that are data; absent ones are null. */
const dataOf = (tool: Tool) => {
  const { annotations, description, inputSchema, name, origin, outputSchema, title } = tool
  const schemas = [inputSchema, outputSchema].map((schema) => schema ?? null)
  return [annotations ?? null, description, ...schemas, name, origin, title]
}

export const list: Cases = {
  'lists nothing when there is nothing': {
    run: ({ context }) => context.getTools(),
    want: [],
  },
  'lists the least a tool can have': {
    async run(page) {
      await page.register()
      const tool = await page.listed()
      return [dataOf(tool), windowOf(tool) === window]
    },
    want: [[null, 'A tool', null, null, 'tool', 'ORIGIN', ''], true],
  },
  'lists null for what is absent': {
    async run(page) {
      await page.register()
      const { annotations, inputSchema, outputSchema } = await page.listed()
      return [annotations, inputSchema, outputSchema].map(String)
    },
    want: ['null', 'null', 'null'],
    native: ['undefined', 'undefined', 'undefined'],
  },
  'lists all a tool can have': {
    async run(page) {
      await page.register({ title: 'T', inputSchema: { type: 'object' }, outputSchema: { a: [1] } })
      return dataOf(await page.listed())
    },
    want: [null, 'A tool', { type: 'object' }, { a: [1] }, 'tool', 'ORIGIN', 'T'],
    native: [null, 'A tool', { type: 'object' }, null, 'tool', 'ORIGIN', 'T'],
  },
  'lists tools without members of their own, which cannot be copied': {
    async run(page) {
      await page.register({ annotations: {}, inputSchema: {} })
      const tool = await page.listed()
      return [Reflect.ownKeys(tool), await failure(() => structuredClone(tool))]
    },
    want: [[], 'DataCloneError'],
    native: [
      ['annotations', 'description', 'inputSchema', 'name', 'origin', 'title', 'window'],
      'DataCloneError',
    ],
  },
  'writes a tool as an empty object': {
    async run(page) {
      await page.register()
      const tool = await page.listed()
      return failure(() => Promise.reject(JSON.stringify(tool)))
    },
    want: '{}',
    native: 'TypeError',
  },
  'answers objects of its interface, with plain members': {
    async run(page) {
      await page.register({ annotations: {}, inputSchema: {}, outputSchema: {} })
      const tool = await page.listed()
      const plain = [tool.annotations, tool.inputSchema].map(
        (value) => Object.getPrototypeOf(value) === Object.prototype,
      )
      return [Object.prototype.toString.call(tool), ...plain]
    },
    want: ['[object Tool]', true, true],
    native: ['[object Object]', true, true],
  },
  'answers the same members every time': {
    async run(page) {
      await page.register({ annotations: {}, inputSchema: {}, outputSchema: {} })
      const tool = await page.listed()
      return (['annotations', 'inputSchema', 'outputSchema'] as const).map(
        (member) => tool[member] === tool[member],
      )
    },
    want: [true, true, true],
  },
  'still answers the window by its old name': {
    async run(page) {
      await page.register()
      return (await page.listed()).window === window
    },
    want: true,
  },
  'answers fresh objects every time': {
    async run(page) {
      const inputSchema = { type: 'object', properties: {} }
      await page.register({ inputSchema, annotations: {} })
      const [one, two] = [await page.listed(), await page.listed()]
      return [
        one === two,
        one.inputSchema === two.inputSchema,
        one.inputSchema === inputSchema,
        one.annotations === two.annotations,
      ]
    },
    want: [false, false, false, false],
  },
  'keeps the schema as it was when it was registered': {
    async run(page) {
      const inputSchema = { title: 'before' }
      await page.register({ inputSchema })
      inputSchema.title = 'after'
      return (await page.listed()).inputSchema
    },
    want: { title: 'before' },
  },
  'writes every annotation as a boolean, and drops others': {
    async run(page) {
      await page.register({
        annotations: { readOnlyHint: 1, debugging: '', destructiveHint: true },
      })
      return (await page.listed()).annotations
    },
    want: {
      consequentialHint: false,
      debugging: false,
      readOnlyHint: true,
      untrustedContentHint: false,
    },
  },
  'keeps all four annotations': {
    async run(page) {
      const annotations = {
        consequentialHint: true,
        debugging: true,
        readOnlyHint: true,
        untrustedContentHint: true,
      }
      await page.register({ annotations })
      return (await page.listed()).annotations
    },
    want: {
      consequentialHint: true,
      debugging: true,
      readOnlyHint: true,
      untrustedContentHint: true,
    },
  },
  'sorts names by code units': {
    async run(page) {
      for (const name of ['b', 'a', 'B', '_', '-', 'a1', 'a.']) await page.register({ name })
      return (await page.context.getTools()).map(({ name }) => name)
    },
    want: ['-', 'B', '_', 'a', 'a.', 'a1', 'b'],
  },
  'takes options null': {
    run: ({ context }) => failure(() => untyped(context).getTools(null)),
    want: 'nothing',
  },
  'takes no number for options': {
    run: ({ context }) => failure(() => untyped(context).getTools(5)),
    want: 'TypeError',
  },
  'takes no text for fromOrigins': {
    run: ({ context }) => failure(() => untyped(context).getTools({ fromOrigins: 'https://a.b' })),
    want: 'TypeError',
  },
  'takes whatever can be iterated for fromOrigins': {
    run: ({ context }) =>
      failure(() => untyped(context).getTools({ fromOrigins: new Set(['https://a.example']) })),
    want: 'nothing',
  },
  'refuses origins that are not secure': {
    run: ({ context }) =>
      Promise.all(
        ['nope', '*', 'http://example.com', 'data:text/plain,'].map((origin) =>
          failure(() => context.getTools({ fromOrigins: [origin] })),
        ),
      ).then((all) => [...new Set(all)]),
    want: ['SecurityError'],
  },
  'reads its one option once': {
    async run({ context }) {
      const log: string[] = []
      await context.getTools(spied({}, 'options', log))
      return log
    },
    want: ['options.fromOrigins'],
  },
  'answers in a task': {
    async run({ context }) {
      const seen: string[] = []
      const found = context.getTools().then(() => seen.push('tools'))
      for (let turn = 0; turn < 50; turn++) await Promise.resolve()
      seen.push('fifty microtasks')
      await found
      return seen
    },
    want: ['fifty microtasks', 'tools'],
  },
}
