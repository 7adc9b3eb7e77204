import { character } from '../support/core/character.ts'
import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import {
  parseJSON,
  toAbortSignal,
  toDictionary,
  toDOMString,
  toFunction,
  toJSON,
  toObject,
  toUSVString,
  toUSVStrings,
  toWindow,
} from '../../polyfill/idl.ts'

describe('strings', () => {
  it.each([
    [5, '5'],
    [null, 'null'],
    [undefined, 'undefined'],
    [['a', 'b'], 'a,b'],
    [{ toString: () => 'own' }, 'own'],
  ])('toDOMString(%o)', (value, text) => expect(toDOMString(value)).toBe(text))

  it('refuses a symbol', () => expect(() => toDOMString(Symbol())).toThrow(TypeError))

  it('writes every string well', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        const written = toUSVString(text)
        return written.isWellFormed() && written.length === text.length
      }),
    )
  })
})

describe('objects', () => {
  it.each([[{}], [[]], [() => 1], [new Date()]])('toObject(%o)', (value) =>
    expect(toObject(value)).toBe(value),
  )
  it.each([[null], [undefined], [5], ['text'], [true]])('toObject(%o) refuses', (value) =>
    expect(() => toObject(value)).toThrow(TypeError),
  )
  it('takes functions only for callbacks', () => {
    expect(toFunction(isNaN)).toBe(isNaN)
    expect(() => toFunction({ call() {} })).toThrow(TypeError)
  })
})

describe('sequences', () => {
  it('accepts any iterable', () => {
    expect(toUSVStrings(['a', 5])).toEqual(['a', '5'])
    expect(toUSVStrings(new Set(['a']))).toEqual(['a'])
  })
  it.each([['text'], [{}], [null], [{ length: 1, 0: 'a' }]])('refuses %o', (value) =>
    expect(() => toUSVStrings(value)).toThrow(TypeError),
  )
  it('refuses a symbol within', () => expect(() => toUSVStrings([Symbol()])).toThrow(TypeError))
})

describe('platform objects', () => {
  it('accepts signals of every realm, and no imitations', () => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const Other = Reflect.get(
      frame.contentWindow ?? window,
      'AbortController',
    ) as typeof AbortController
    const { signal } = new Other()
    expect(toAbortSignal(signal)).toBe(signal)
    expect(toWindow(frame.contentWindow)).toBe(frame.contentWindow)
    frame.remove()
    const like: unknown = Object.create(AbortSignal.prototype)
    expect(() => toAbortSignal(like)).toThrow(TypeError)
    expect(() => toWindow({ closed: false })).toThrow(TypeError)
  })
})

describe('dictionaries', () => {
  it('reads undefined as an empty dictionary', () => {
    for (const value of [undefined, null, {}, () => 1])
      expect(toDictionary(value)('a', toDOMString)).toBeUndefined()
    expect(() => toDictionary('text')).toThrow(TypeError)
  })
  it('names what is missing', () => {
    expect(() => toDictionary({})('a', toDOMString, true)).toThrow('"a" is required')
  })
})

describe('JSON', () => {
  it('reads objects, and returns undefined for everything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = parseJSON(text)
        return value === undefined || typeof value === 'object'
      }),
    )
    expect(parseJSON('{"a":1}')).toEqual({ a: 1 })
    expect(parseJSON('null')).toBeUndefined()
    expect(parseJSON('"text"')).toBeUndefined()
  })
  it('refuses to write what is not JSON', () => {
    for (const value of [undefined, () => 1, { toJSON() {} }])
      expect(() => toJSON(value)).toThrow(TypeError)
  })
})
