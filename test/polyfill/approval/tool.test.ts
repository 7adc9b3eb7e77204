import { describe, expect, it } from 'vitest'
import { membersOf, viewTool } from '#polyfill/approval/tool.ts'

const untouched = (execute: unknown) => execute as () => unknown

function viewed(tool: object) {
  const { view, record } = viewTool(tool, untouched)
  return { view: view as Record<string, unknown>, record }
}

describe('a tool as it is registered', () => {
  it('is read when it is asked for, and once', () => {
    const log: string[] = []
    const tool = { name: 'a', description: 'd', execute() {} }
    const spy = new Proxy(tool, {
      get: (target, key) => (log.push(String(key)), Reflect.get(target, key)),
    })
    const { view } = viewed(spy)
    expect(log).toEqual([])
    expect([view['name'], view['name'], view['description']]).toEqual(['a', 'a', 'd'])
    expect(log).toEqual(['name', 'description'])
  })

  it('comes out as Web IDL would convert it', () => {
    const annotations = { consequentialHint: 1, readOnlyHint: '', humanInTheLoopHint: ['review'] }
    const { view, record } = viewed({ name: 42, description: null, title: undefined, annotations })
    expect([view['name'], view['description'], view['title']]).toEqual(['42', 'null', undefined])
    expect({ ...(view['annotations'] as object) }).toEqual({
      consequentialHint: true,
      debugging: false,
      readOnlyHint: false,
      untrustedContentHint: false,
    })
    expect(membersOf(record)).toEqual({ humanInTheLoopHint: 'review' })
  })

  it.each(['consequentialHint', 'debugging', 'readOnlyHint', 'untrustedContentHint'] as const)(
    'keeps %s, for which an approval holds',
    (key) => {
      const { view, record } = viewed({ annotations: { [key]: true } })
      expect({ ...(view['annotations'] as object) }).toHaveProperty(key, true)
      expect(record.annotations[key]).toBe(true)
    },
  )

  it.each([undefined, null, 'text', 3])('accepts annotations that are %s', (annotations) => {
    const { view, record } = viewed({ annotations })
    expect(view['annotations']).toBe(annotations)
    expect(membersOf(record)).toBeNull()
  })

  it('passes a value that is not a function on, for its own error', () => {
    expect(viewed({ execute: 3 }).view['execute']).toBe(3)
    expect(() => viewed({ preview: 3 }).view['title']).toThrow(TypeError)
  })

  it('throws what the author’s own getters throw', () => {
    const fault = new RangeError('mine')
    const tool = {
      get name() {
        throw fault
      },
    }
    expect(() => viewed(tool).view['name']).toThrow(fault)
  })
})
