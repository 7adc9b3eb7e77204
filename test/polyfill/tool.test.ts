import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { apply } from '../../polyfill/core.ts'
import { contextOf } from '../support/polyfill/cases/case.ts'

let undo = () => {}
beforeEach(() => void (undo = apply()))
afterEach(() => undo())

it('warns once of a page that reads the old name of the window and calls copies', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const context = contextOf(document)
  await context.registerTool({ name: 'a', description: 'd', execute: () => 'done' })
  const [tool] = await context.getTools()
  if (!tool) throw new Error('There is no tool')
  expect(await context.executeTool(tool)).toBe('done')
  expect(warn).not.toHaveBeenCalled()
  const { name, title, description, origin } = tool
  const copy = { name, title, description, origin, window: tool.window }
  expect(await context.executeTool(copy)).toBe('done')
  await expect(context.executeTool({ ...tool })).rejects.toThrow(TypeError)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]?.[0]).toContain('read "source", not "window"')
})
