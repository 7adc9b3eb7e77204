import { afterEach, describe, expect, it } from 'vitest'
import {
  addMembers,
  annotationsOf,
  sourceOf,
  wrapAnnotations,
} from '#polyfill/approval/listed-tools.ts'
import { effectivePolicy } from '#polyfill/index.ts'

const HINTS = { humanInTheLoopHint: 'review', intentTemplate: 'Do {x}' } as const
const GIVEN = { readOnlyHint: true, debugging: false }
const MERGED = { debugging: false, ...HINTS, readOnlyHint: true }

const undos: (() => void)[] = []
afterEach(() => undos.splice(0).forEach((undo) => undo()))

/** An interface like that of Chrome 160. */
function interfaceOf(annotations: object | null): { prototype: object } {
  class Tool {
    get name() {
      return 'a'
    }
    get annotations() {
      if (!(this instanceof Tool)) throw new TypeError('Illegal invocation')
      return annotations
    }
  }
  for (const name of ['name', 'annotations'])
    Object.defineProperty(Tool.prototype, name, { enumerable: true })
  return Tool
}

const made = (prototype: object): object => Object.freeze(Object.create(prototype))

describe('a tool of an interface', () => {
  it('lists the members by the getter of its prototype, and has none of its own', () => {
    const Tool = interfaceOf(GIVEN)
    Object.assign(globalThis, { Tool })
    const undo = wrapAnnotations()
    undos.push(undo, () => Reflect.deleteProperty(globalThis, 'Tool'))
    const [one, other] = [made(Tool.prototype), made(Tool.prototype)]
    addMembers(one, HINTS)
    expect(Reflect.get(one, 'annotations')).toEqual(MERGED)
    expect(Object.keys(Reflect.get(one, 'annotations'))).toEqual(Object.keys(MERGED))
    expect(Reflect.get(other, 'annotations')).toBe(GIVEN)
    expect(Reflect.ownKeys(one)).toEqual([])
    expect(() => Reflect.get(Tool.prototype, 'annotations', {})).toThrow(TypeError)
    undo()
    expect(Reflect.get(one, 'annotations')).toBe(GIVEN)
  })

  it('keeps them where all of it is frozen', () => {
    const { prototype } = interfaceOf(null)
    const tool = made(Object.freeze(prototype))
    addMembers(tool, HINTS)
    expect(Reflect.get(tool, 'annotations')).toBeNull()
    expect(annotationsOf(tool)).toEqual(HINTS)
    expect(effectivePolicy(tool)).toBe('review')
  })

  it('has annotations that are an interface themselves', () => {
    class Hints {
      get readOnlyHint() {
        return true
      }
    }
    Object.defineProperty(Hints.prototype, 'readOnlyHint', { enumerable: true })
    const tool = made(interfaceOf(new Hints()).prototype)
    expect(annotationsOf(tool)).toEqual({ readOnlyHint: true })
    expect(effectivePolicy(tool)).toBe('none')
  })
})

describe('a plain object', () => {
  it('lists the members, and stays the same object', () => {
    const tool = { name: 'a', annotations: GIVEN, window }
    addMembers(tool, HINTS)
    expect({ ...tool }.annotations).toEqual(MERGED)
    expect(sourceOf(tool)).toBe(window)
  })

  it('keeps them when it is frozen', () => {
    const tool = Object.freeze({ name: 'a', annotations: GIVEN })
    addMembers(tool, HINTS)
    expect(tool.annotations).toBe(GIVEN)
    expect(annotationsOf(tool)).toEqual(MERGED)
    expect(effectivePolicy(tool)).toBe('review')
  })

  it('takes nothing from Object.prototype', () => {
    Object.assign(Object.prototype, { annotations: { humanInTheLoopHint: 'none' }, hint: 1 })
    undos.push(() => {
      Reflect.deleteProperty(Object.prototype, 'annotations')
      Reflect.deleteProperty(Object.prototype, 'hint')
    })
    expect(annotationsOf({ name: 'a' })).toBeNull()
    expect(effectivePolicy({})).toBe('confirm')
    const tool = { name: 'a', annotations: GIVEN }
    addMembers(tool, HINTS)
    expect(Object.keys(tool.annotations)).not.toContain('hint')
  })
})
