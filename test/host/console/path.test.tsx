/** Paths as a browser draws them: two different ones never look alike, whatever their letters are. */

import { Intent } from '#host/console/tools/intent.tsx'
import { Path, Sentence } from '#host/console/ui/path.tsx'
import { render } from 'preact'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listInk, readDrawn } from '../../support/views/read-drawn.ts'

const root = document.createElement('main')

beforeEach(() => {
  document.body.append(root)
  root.style.width = '4000px'
})

afterEach(() => {
  render(null, root)
  root.remove()
})

function readPath(path: string, drawing = <Path text={path} />): string {
  render(drawing, root)
  return readDrawn(root)
}

it.each([
  ['/t/א1', '/t/1א'],
  ['/t/a.txt', '/t/a.txt '],
  ['/t/b c.txt', '/t/b  c.txt'],
  ['/t/ a', '/t/a'],
  ['/א/ב', '/ב/א'],
  ['/١א٢', '/٢א١'],
  ['/א-1', '/1-א'],
  ['/a\u{1d159}', '/a'],
  ['/a\u{16fe4}', '/a'],
  ['/a/\u0301b', '/a\u0301/b'],
  ['/a\u200b', '/a'],
  ['/a\u3164', '/a'],
  ['/a\u2800', '/a'],
])('draws %j and %j apart', (one, other) => {
  expect(readPath(one)).not.toBe(readPath(other))
})

it.each([
  ['/docs/a b.txt', '/docs/a b.txt'],
  ['/t/a.txt ', '/t/a.txt[SP]'],
  ['/t/ a/b  c', '/t/[SP]a/b[SP][SP]c'],
  ['/a/\u0301', '/a/[U+0301]'],
  ['/t/א1', '/t/א1'],
  ['/t/1א', '/t/1א'],
])('draws %j as %j', (path, drawn) => {
  expect(readPath(path)).toBe(drawn)
})

it('draws sentences apart that differ in a path', () => {
  const read = (text: string) => readPath(text, <Sentence text={text} />)
  expect(read('Move /t/א1 to /b')).not.toBe(read('Move /t/1א to /b'))
  expect(read('Move /b to /d')).toBe('Move /b to /d')
  expect(read('Move /b  c to /d')).not.toBe(read('Move /b c to /d'))
})

it.each([
  ['/t/א1', '/t/1א'],
  ['/t/a', '/t/a '],
  [`/${'a'.repeat(500)}/b`, `/${'a'.repeat(500)}/c`],
  [`/b/${'a'.repeat(500)}`, `/c/${'a'.repeat(500)}`],
  [`/${'a'.repeat(500)}`, `/${'a'.repeat(501)}`],
])('draws questions apart that differ in a path', (one, other) => {
  const read = (text: string) =>
    readPath('', <Intent parts={[{ type: 'value', text, key: 'path' }]} />)
  expect(read(one)).not.toBe(read(other))
  expect(read(one).length).toBeLessThan(500)
})

it('draws all short paths of letters of both directions, digits, spaces and signs apart', () => {
  const letters = ['a', 'א', 'ب', '1', '٢', ' ', '-', '/', '(']
  const words = letters.flatMap((x) =>
    letters.flatMap((y) => letters.map((z) => `/t/${x}${y}${z}`)),
  )
  const drawn = new Map<string, string>()
  for (const word of words) {
    const seen = readPath(word)
    expect(drawn.get(seen), `${JSON.stringify(word)} as well`).toBeUndefined()
    drawn.set(seen, word)
  }
})

describe('a narrow path', () => {
  const style = document.createElement('link')

  beforeEach(async () => {
    style.rel = 'stylesheet'
    style.href = '/host/console/style.css'
    const loaded = new Promise((resolve) => style.addEventListener('load', resolve))
    document.head.append(style)
    await loaded
  })

  afterEach(() => style.remove())

  // Of letters that are no wider than a space, because the font of the tests need not be monospaced.
  it.each([
    ['/ilili/ilil ilil', '/ilili/ilililil'],
    ['/ilili/il- ilil', '/ilili/il-ilil'],
    ['/ilili/ilil! il', '/ilili/ilil!il'],
  ])('looks like no other one at any width: %j, %j', (one, other) => {
    const inkOf = (path: string) => {
      render(<Path text={path} />, root)
      return listInk(root)
    }
    for (let width = 40; width < 240; width++) {
      root.style.width = `${width}px`
      expect(inkOf(one), `${width} px`).not.toEqual(inkOf(other))
    }
  })
})
