import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, list, watch } from '../../polyfill/consumer.ts'
import { apply } from '../../polyfill/core.ts'
import { discovery } from '../../polyfill/devtools.ts'
import { contextOf } from '../support/polyfill/cases/case.ts'

let undo = () => {}
beforeEach(() => void (undo = apply({ additions: [discovery('Page')] })))
afterEach(() => undo())

const register = (
  name: string,
  execute: (input: object) => unknown,
  more: object = {},
  options: { signal?: AbortSignal } = {},
) => contextOf(document).registerTool({ name, description: 'd', execute, ...more }, options)

const find = async (name: string) => {
  const tool = (await list({ debugging: true })).find((found) => found.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return tool
}

describe('list', () => {
  it('omits tools for developers, unless they are requested', async () => {
    await register('a', () => 1)
    await register('b', () => 1, { annotations: { debugging: true } })
    expect((await list()).map(({ name }) => name)).toEqual(['a'])
    expect((await list({ debugging: true })).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('describes a tool as data that can be written as JSON', async () => {
    const schemas = { inputSchema: { type: 'object' }, outputSchema: { type: 'string' } }
    await register('a', () => 1, { ...schemas, annotations: { readOnlyHint: true } })
    await register('b', () => 1)
    const [a, b] = await list()
    const { origin } = location
    const hints = { consequentialHint: false, debugging: false, untrustedContentHint: false }
    const annotations = { ...hints, readOnlyHint: true }
    const described = [
      { name: 'a', title: '', description: 'd', ...schemas, annotations, origin },
      { name: 'b', title: '', description: 'd', origin },
    ]
    expect(JSON.parse(JSON.stringify([a, b]))).toEqual(described)
    expect(a?.source).toBe(window)
  })
})

describe('call', () => {
  it.each([
    [{ a: [1] }, { a: [1] }],
    ['text', 'text'],
    ['{"a":1}', { a: 1 }],
    [5, 5],
    [null, null],
    [undefined, 'undefined'],
  ])('reads %o', async (answer, read) => {
    await register('a', () => answer)
    expect(await call(await find('a'))).toEqual(read)
  })

  it('takes a description, a copy of it, and a tool of getTools()', async () => {
    await register('a', () => 'done')
    const described = await find('a')
    const [listed] = await contextOf(document).getTools()
    const { source } = described
    for (const tool of [described, { ...described, source }, listed])
      expect(tool && (await call(tool))).toBe('done')
  })

  it('stops at its time limit', async () => {
    await register('a', () => new Promise(() => {}))
    const patience = call(await find('a'), {}, { timeout: 20 })
    await expect(patience).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('ends with the signal of its caller', async () => {
    await register('a', () => new Promise(() => {}))
    const over = new AbortController()
    const answer = call(await find('a'), {}, { signal: over.signal })
    over.abort('mine')
    await expect(answer).rejects.toBe('mine')
  })

  it('receives the message of an error that a tool of this origin throws', async () => {
    const failures: [unknown, string][] = [
      [new TypeError('No seat is left'), '"a" failed: No seat is left'],
      [new Error('x'.repeat(2_000)), `"a" failed: ${'x'.repeat(1_000)}`],
      ['text', '"a" failed'],
    ]
    for (const [reason, message] of failures) {
      const done = new AbortController()
      const fail = () => {
        throw reason
      }
      await register('a', fail, {}, { signal: done.signal })
      const failure = { name: 'UnknownError', message }
      await expect(call(await find('a'))).rejects.toMatchObject(failure)
      done.abort()
    }
  })

  it('runs a tool that fails once only', async () => {
    const execute = vi.fn(() => Promise.reject(new Error('Failed to parse input')))
    await register('a', execute)
    await expect(call(await find('a'))).rejects.toMatchObject({ name: 'UnknownError' })
    expect(execute).toHaveBeenCalledTimes(1)
  })
})

describe('watch', () => {
  it('passes the tools now and after each change, until it ends', async () => {
    const seen: string[][] = []
    const end = watch((tools) => seen.push(tools.map(({ name }) => name)))
    await expect.poll(() => seen).toEqual([[]])
    await register('a', () => 1)
    await expect.poll(() => seen.at(-1)).toEqual(['a'])
    end()
    const count = seen.length
    await register('b', () => 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(seen.length).toBe(count)
  })
})

describe('an older or unusual context', () => {
  const place = (context: object) => {
    undo()
    Object.defineProperty(document, 'modelContext', { value: context, configurable: true })
    undo = () => void Reflect.deleteProperty(document, 'modelContext')
  }

  it('has schemas as text, takes input as text, and is frozen and no event target', async () => {
    const tool = { name: 'a', title: '', description: 'd', window, origin: location.origin }
    const executeTool = vi.fn(async (_: object, input: unknown) => {
      if (typeof input === 'string') return input
      throw new DOMException('Failed to parse input arguments', 'UnknownError')
    })
    const getTools = async () => [{ ...tool, inputSchema: '{"type":"object"}' }]
    place(Object.freeze({ getTools, executeTool }))
    const [found] = await list()
    expect(found?.inputSchema).toEqual({ type: 'object' })
    expect(found && (await call(found, { a: 1 }))).toEqual({ a: 1 })
    const seen = vi.fn()
    const end = watch(seen)
    await expect.poll(() => seen).toHaveBeenCalledTimes(1)
    end()
  })

  it('is left alone', () => {
    const context = Object.freeze({})
    place(context)
    apply()()
    expect(Reflect.get(document, 'modelContext')).toBe(context)
  })
})

describe('discovery by developer tools', () => {
  const discover = () => {
    const groups: Group[] = []
    const event = new CustomEvent('devtoolstooldiscovery')
    const respondWith = (group: Group) => groups.push(group)
    window.dispatchEvent(Object.assign(event, { respondWith }))
    return groups
  }
  interface Group {
    name: string
    description?: string
    tools: Found[]
  }
  interface Found {
    name: string
    inputSchema: object
    execute(input?: object): Promise<unknown>
  }

  it('answers at once, with a schema for every tool', async () => {
    await register('a', (input) => ({ got: input }), {
      inputSchema: { type: 'object', title: 'T' },
    })
    await register('b', () => Promise.reject(new Error('mine')))
    const [group, ...others] = discover()
    expect(others).toEqual([])
    expect(group?.name).toBe('Page')
    expect(group?.tools.map(({ name, inputSchema }) => [name, inputSchema])).toEqual([
      ['a', { type: 'object', title: 'T' }],
      ['b', { type: 'object', properties: {} }],
    ])
    expect(await group?.tools[0]?.execute({ a: 1 })).toBe('{"got":{"a":1}}')
    await expect(group?.tools[1]?.execute()).rejects.toThrow('failed')
  })

  it('describes the group, which developer tools show beside its name', () => {
    expect(discover()).toEqual([{ name: 'Page', description: 'Tools of this page', tools: [] }])
  })

  it('ends with the polyfill', () => {
    undo()
    expect(discover()).toEqual([])
  })
})
