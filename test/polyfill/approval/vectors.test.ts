import { describe, expect, it } from 'vitest'
import { renderIntent } from '#polyfill/index.ts'
import { readTool } from '#polyfill/remote/tools.ts'
import intents from '../../vectors/intent.json' with { type: 'json' }
import visibility from '../../vectors/visibility.json' with { type: 'json' }

describe('intents, as pages render them', () => {
  it.each(intents)('$id: $template', ({ template, args, expected }) => {
    const { text, parts } = renderIntent(template, args)
    expect(text).toBe(expected)
    expect(parts.map((part) => part.text).join('')).toBe(expected)
  })
})

describe('tools of a server that agents get', () => {
  it.each(visibility)('$id', ({ tool_meta: meta, expected }) => {
    const tool = readTool({ name: 'a', inputSchema: {}, ...(meta && { _meta: meta }) })
    expect(tool !== null).toBe(expected.in_model_list)
  })
})

describe('hints of a server', () => {
  const facts = { humanInTheLoopHint: 'review', intentTemplate: 'Edit {path}', preview: true }
  const members = { humanInTheLoopHint: 'review', intentTemplate: 'Edit {path}' }

  it.each([
    ['in annotations', { annotations: facts }],
    ['in _meta', { _meta: { 'dev.edgewise/tool': facts } }],
    ['in both', { annotations: facts, _meta: { 'dev.edgewise/tool': facts } }],
  ])('are read from %s', (_, listed) => {
    const tool = readTool({ name: 'a', title: 'A', inputSchema: { type: 'object' }, ...listed })
    expect(tool).toMatchObject({ description: 'A', previews: true, annotations: members })
  })

  it('are ignored if they are invalid', () => {
    const annotations = { humanInTheLoopHint: 'perhaps', intentTemplate: '['.repeat(99) }
    expect(readTool({ name: 'a', annotations })?.annotations).toEqual({
      readOnlyHint: false,
      untrustedContentHint: true,
    })
  })

  it.each([null, 'a', {}, { name: '' }, { name: 3 }, []])('is nothing where it is %o', (listed) => {
    expect(readTool(listed)).toBeNull()
  })
})
