/**
 * `getTools()`: what is listed, in what order, and how fresh.
 *
 * @module
 */

import { type Cases, failure, spied, untyped } from './case.ts'

export const list: Cases = {
  'lists nothing when there is nothing': {
    run: ({ context }) => context.getTools(),
    want: [],
  },
  'lists the least a tool can have': {
    async run(page) {
      await page.register()
      const { window: owner, ...tool } = await page.listed()
      return [tool, owner === window]
    },
    want: [{ description: 'A tool', name: 'tool', origin: 'ORIGIN', title: '' }, true],
  },
  'lists all a tool can have, its members in order': {
    async run(page) {
      await page.register({ title: 'T', inputSchema: { type: 'object' }, annotations: {} })
      return Object.keys(await page.listed())
    },
    want: ['annotations', 'description', 'inputSchema', 'name', 'origin', 'title', 'window'],
  },
  'answers plain objects': {
    async run(page) {
      await page.register({ annotations: {}, inputSchema: {} })
      const tool = await page.listed()
      return [tool, tool.annotations, tool.inputSchema].map(
        (value) => Object.getPrototypeOf(value) === Object.prototype,
      )
    },
    want: [true, true, true],
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
