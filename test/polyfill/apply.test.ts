import { afterEach, describe, expect, it, vi } from 'vitest'
import { apply, isSupported } from '../../polyfill/core.ts'
import { formTools } from '../../polyfill/declarative.ts'
import { contextOf, failure, settled } from '../support/polyfill/cases/case.ts'

const undos: (() => void)[] = []
const applied = (...args: Parameters<typeof apply>) => {
  const undo = apply(...args)
  undos.push(undo)
  return undo
}
afterEach(() => undos.splice(0).forEach((undo) => undo()))

/** Every property that the polyfill may touch. */
const touched = () =>
  [
    window,
    Document.prototype,
    SubmitEvent.prototype,
    HTMLFormElement.prototype,
    Element.prototype,
  ].map((object: object) => Object.getOwnPropertyDescriptors(object))

describe('apply', () => {
  it('adds and removes everything, with forms or without', () => {
    const before = touched()
    for (const additions of [[], [formTools()]]) {
      const undo = applied({ additions })
      expect(isSupported()).toBe(true)
      undo()
      expect(isSupported()).toBe(false)
      const after = touched()
      for (const [index, properties] of before.entries())
        expect(Object.keys(after[index] ?? {})).toEqual(Object.keys(properties))
      expect(after[3]?.['submit']?.value).toBe(before[3]?.['submit']?.value)
      undo()
    }
  })

  it('has no effect the second time, and neither has its undo', () => {
    applied()
    const context = contextOf(document)
    apply()()
    expect(contextOf(document)).toBe(context)
  })

  it('restores previous values', () => {
    const mine = { mine: true }
    Object.assign(window, { ToolCancelEvent: mine })
    const undo = applied()
    expect(Reflect.get(window, 'ToolCancelEvent')).not.toBe(mine)
    undo()
    expect(Reflect.get(window, 'ToolCancelEvent')).toBe(mine)
    Reflect.deleteProperty(window, 'ToolCancelEvent')
  })

  it('ends running calls without an error when it is removed', async () => {
    const undo = applied({ additions: [formTools()] })
    const host = document.createElement('div')
    host.innerHTML = '<form toolname="f" tooldescription="d"><button>Go</button></form>'
    document.body.append(host)
    const context = contextOf(document)
    await expect.poll(() => context.getTools()).toHaveLength(1)
    const [tool] = await context.getTools()
    const answer = tool && context.executeTool(tool)
    await settled()
    undo()
    expect(await failure(() => answer)).toBe('UnknownError')
    host.remove()
  })
})

describe('results to the letter of the specification', () => {
  it.each([
    ['hello', '"hello"'],
    ['', '""'],
    [null, 'null'],
    [NaN, 'null'],
    [{ a: 1 }, '{"a":1}'],
  ])('%o', async (value, text) => {
    applied({ results: 'spec' })
    const context = contextOf(document)
    await context.registerTool({ name: 'a', description: 'd', execute: () => value })
    const [tool] = await context.getTools()
    expect(tool && (await context.executeTool(tool))).toBe(text)
  })

  it.each([[undefined], [() => 1], [10n]])('%o fails', async (value) => {
    applied({ results: 'spec' })
    const context = contextOf(document)
    await context.registerTool({ name: 'a', description: 'd', execute: () => value })
    const [tool] = await context.getTools()
    expect(await failure(() => tool && context.executeTool(tool))).toBe('UnknownError')
  })
})

describe('wrapped', () => {
  it('calls whatever execute was registered through a wrapper of the prototype', async () => {
    applied()
    const context = contextOf(document)
    const prototype: object = Object.getPrototypeOf(context)
    const registerTool = Reflect.get(prototype, 'registerTool') as typeof context.registerTool
    const asked = vi.fn()
    Object.assign(prototype, {
      registerTool(this: typeof context, tool: Parameters<typeof context.registerTool>[0]) {
        const execute: typeof tool.execute = (...args) => (asked(), tool.execute(...args))
        return registerTool.call(this, { ...tool, execute })
      },
    })
    await context.registerTool({ name: 'a', description: 'd', execute: () => 'done' })
    const [tool] = await context.getTools()
    expect(tool && (await context.executeTool(tool))).toBe('done')
    expect(asked).toHaveBeenCalledTimes(1)
  })
})
