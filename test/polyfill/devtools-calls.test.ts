/** The log of calls and the example arguments of the panel. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { logCalls, MAX_CALLS, type LoggedCall } from '../../polyfill/devtools-panel/calls.ts'
import { exampleOf } from '../../polyfill/devtools-panel/example.ts'
import { apply, call, list } from '../../polyfill/index.ts'
import { contextOf, failure } from '../support/polyfill/cases/case.ts'

let undo = () => {}
let stop = () => {}
let calls: readonly LoggedCall[] = []

beforeEach(async () => {
  undo = apply()
  stop = logCalls(contextOf(document), (all) => void (calls = all))
  calls = []
  const annotations = { readOnlyHint: true }
  const register = (name: string, execute: () => unknown) =>
    contextOf(document).registerTool({ name, description: 'd', annotations, execute })
  await register('good', () => ({ a: 1 }))
  await register('bad', () => {
    throw new Error('no')
  })
})
afterEach(() => {
  stop()
  undo()
})

async function run(name: string, input: object): Promise<unknown> {
  const tool = (await list()).find((one) => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return call(tool, input)
}

it('logs arguments, outcome, level and what decided, and returns what the tool returned', async () => {
  expect(await run('good', { x: 1 })).toEqual({ a: 1 })
  await expect.poll(() => calls[0]?.by).toBe('policy')
  expect(calls).toMatchObject([
    { tool: 'good', input: { x: 1 }, level: 'none', outcome: 'ran', result: '{"a":1}' },
  ])
  expect(calls[0]?.duration).toBeGreaterThanOrEqual(0)
  await failure(() => run('bad', {}))
  await expect.poll(() => calls[0]?.outcome).toBe('failed')
})

it('logs the start of a call that it has not seen, without arguments', async () => {
  const context = contextOf(document)
  const [, tool] = await context.getTools()
  const { executeTool } = Object.getPrototypeOf(context)
  await executeTool.call(context, tool, { secret: 1 })
  await expect.poll(() => calls).toMatchObject([{ tool: 'good', input: null, outcome: 'ran' }])
})

it('keeps the newest calls only, and ends', async () => {
  for (let at = 0; at < MAX_CALLS + 3; at++) await run('good', { at })
  expect(calls).toHaveLength(MAX_CALLS)
  expect(calls[0]?.input).toEqual({ at: MAX_CALLS + 2 })
  stop()
  await run('good', { at: -1 })
  expect(calls[0]?.input).toEqual({ at: MAX_CALLS + 2 })
})

describe('example arguments', () => {
  it.each([
    [undefined, {}],
    [{ type: 'string' }, {}],
    [
      {
        properties: {
          a: { type: 'string' },
          b: { enum: ['x', 'y'] },
          c: { type: 'integer', minimum: 2 },
          d: { default: false, type: 'boolean' },
          e: { type: 'array' },
          f: { properties: { g: { const: null } } },
        },
      },
      { a: '', b: 'x', c: 2, d: false, e: [], f: { g: null } },
    ],
  ])('of %j are %j', (schema, example) => {
    expect(exampleOf(schema)).toEqual(example)
  })

  it('ends in a schema that contains itself', () => {
    const schema: { properties: Record<string, unknown> } = { properties: {} }
    schema.properties['self'] = schema
    expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(200)
  })
})
