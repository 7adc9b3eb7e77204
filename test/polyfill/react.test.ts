/** The hooks of `@edgewise/webmcp/react`, with React itself and the polyfill. */

import {
  createElement,
  startTransition,
  StrictMode,
  Suspense,
  use,
  useState,
  type ReactNode,
} from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useTool, useTools } from '../../packages/webmcp/react.ts'
import { apply, call, list } from '../../polyfill/index.ts'
import { contextOf } from '../support/polyfill/cases/case.ts'

let undo = () => {}
let root: Root
let complaints: unknown[][] = []
let changes = 0
let registered: string[] = []
const count = () => void changes++

beforeEach(() => {
  undo = apply()
  const context = contextOf(document)
  context.addEventListener('toolchange', count)
  const registerTool: typeof context.registerTool = Reflect.get(context, 'registerTool')
  vi.spyOn(context, 'registerTool').mockImplementation((tool, options) => {
    registered.push(tool.name)
    return registerTool.call(context, tool, options)
  })
  complaints = []
  for (const name of ['error', 'warn'] as const)
    vi.spyOn(console, name).mockImplementation((...args) => void complaints.push(args))
  changes = 0
  registered = []
  root = createRoot(document.body.appendChild(document.createElement('div')))
})

afterEach(async () => {
  root.unmount()
  await settle()
  contextOf(document).removeEventListener('toolchange', count)
  undo()
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

/** Renders, and waits for effects and for events of the context. */
async function show(node: ReactNode): Promise<void> {
  flushSync(() => root.render(node))
  await settle()
}

const settle = () => new Promise((done) => setTimeout(done, 50))
const names = async () => (await list()).map(({ name }) => name)

async function run(name: string, input: object = {}): Promise<unknown> {
  const tool = (await list()).find((one) => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return call(tool, input)
}

const NONE = { humanInTheLoopHint: 'none' } as const

function Counter({ name = 'count', step = 1 }: { name?: string; step?: number }) {
  const [count, setCount] = useState(0)
  useTool({
    name,
    description: 'Counts.',
    annotations: NONE,
    execute: ({ times }: { times: number }) => {
      setCount(count + times * step)
      return count
    },
  })
  return createElement('b', null, count)
}

it('registers a tool while a component is shown', async () => {
  await show(createElement(Counter))
  expect(await names()).toEqual(['count'])
  await show(null)
  expect(await names()).toEqual([])
  expect(complaints).toEqual([])
})

it('registers once in strict mode, without an AbortError', async () => {
  await show(createElement(StrictMode, null, createElement(Counter)))
  expect(registered).toEqual(['count'])
  expect(changes).toBe(1)
  expect(complaints).toEqual([])
})

it('calls what was rendered last, without another registration', async () => {
  await show(createElement(Counter))
  expect(await run('count', { times: 2 })).toBe(0)
  await settle()
  expect(await run('count', { times: 1 })).toBe(2)
  await show(createElement(Counter, { step: 10 }))
  await run('count', { times: 1 })
  await settle()
  expect(document.querySelector('b')?.textContent).toBe('13')
  expect(registered).toEqual(['count'])
})

it('keeps a tool whose component is replaced by its like, as hot reloading does', async () => {
  for (const key of ['a', 'b', 'c']) await show(createElement(Counter, { key }))
  expect(registered).toEqual(['count'])
  expect(changes).toBe(1)
  expect(await run('count', { times: 1 })).toBe(0)
  expect(complaints).toEqual([])
})

it('registers a tool again when its declarations change', async () => {
  const Described = ({ description }: { description: string }) => {
    useTool({ name: 'a', description, annotations: NONE, execute: () => description })
    return null
  }
  await show(createElement(Described, { description: 'one' }))
  await show(createElement(Described, { description: 'two' }))
  expect(await list()).toMatchObject([{ name: 'a', description: 'two' }])
  expect(await run('a')).toBe('two')
  expect(registered).toEqual(['a', 'a'])
  expect(complaints).toEqual([])
})

it('changes only the tools of a list that have changed', async () => {
  const Several = ({ given }: { given: readonly string[] }) => {
    const tool = (name: string) => ({
      name,
      description: name,
      annotations: NONE,
      execute: () => name,
    })
    useTools(given.map(tool))
    return null
  }
  await show(createElement(Several, { given: ['a', 'b'] }))
  await show(createElement(Several, { given: ['b', 'c'] }))
  expect(await names()).toEqual(['b', 'c'])
  expect(registered).toEqual(['a', 'b', 'c'])
  expect(await run('c')).toBe('c')
})

it('registers nothing for a render that is not shown', async () => {
  const never = new Promise<never>(() => {})
  const Waiting = () => {
    useTool({ name: 'late', description: 'd', execute: () => 1 })
    use(never)
    return null
  }
  const Page = ({ isNext }: { isNext: boolean }) =>
    createElement(Suspense, { fallback: null }, createElement(isNext ? Waiting : Counter))
  await show(createElement(Page, { isNext: false }))
  startTransition(() => root.render(createElement(Page, { isNext: true })))
  await settle()
  expect(await names()).toEqual(['count'])
  expect(registered).toEqual(['count'])
  await show(null)
})

it('registers no tool for null', async () => {
  const Maybe = ({ isOn }: { isOn: boolean }) => {
    useTool(isOn ? { name: 'a', description: 'd', execute: () => 1 } : null)
    return null
  }
  await show(createElement(Maybe, { isOn: false }))
  expect(await names()).toEqual([])
  await show(createElement(Maybe, { isOn: true }))
  expect(await names()).toEqual(['a'])
})

it('reports a name that another component uses, and leaves that one its tool', async () => {
  const failed: string[] = []
  const Second = () => {
    useTool(
      { name: 'count', description: 'Another.', execute: () => 2 },
      { onError: (_, name) => failed.push(name) },
    )
    return null
  }
  await show([createElement(Counter, { key: 1 }), createElement(Second, { key: 2 })])
  expect(failed).toEqual(['count'])
  await show([createElement(Counter, { key: 1 })])
  expect(await list()).toMatchObject([{ name: 'count', description: 'Counts.' }])
  expect(await run('count', { times: 1 })).toBe(0)
})

it('has the preview of the last render', async () => {
  const previews: unknown[] = []
  const Previewed = ({ text }: { text: string }) => {
    useTool({
      name: 'a',
      description: 'd',
      annotations: { humanInTheLoopHint: 'review' },
      preview: () => {
        previews.push(text)
        return { isError: true, content: [{ type: 'text', text }] }
      },
      execute: () => 'ran',
    })
    return null
  }
  await show(createElement(Previewed, { text: 'old' }))
  await show(createElement(Previewed, { text: 'new' }))
  await run('a')
  expect(previews).toEqual(['new'])
  expect(registered).toEqual(['a'])
})
