/** Markdown of a server: what is shown, and that no value of a call becomes markup. */

import { render } from 'preact'
import { afterEach, describe, expect, it } from 'vitest'
import { Markdown } from '#host/console/markdown/markdown.tsx'
import { fillMarkdown, toMarkdown } from '#host/console/markdown/template.ts'

const root = document.createElement('main')
afterEach(() => render(null, root))

function html(source: ReturnType<typeof toMarkdown> | null): string {
  if (!source) throw new Error('The template is invalid')
  render(<Markdown source={source} />, root)
  return root.querySelector('.markdown')?.innerHTML ?? ''
}

const shown = (text: string) => html(toMarkdown(text))
const filled = (template: string, args: object) => html(fillMarkdown(template, args))

describe('what is shown', () => {
  it.each([
    ['# Title', '<p><strong>Title</strong></p>'],
    ['one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['> note', '<blockquote>note</blockquote>'],
    ['---', '<hr>'],
    ['a **b** *c* `d*e*`', '<p>a <strong>b</strong> <em>c</em> <code>d*e*</code></p>'],
    ['a * b * c', '<p>a * b * c</p>'],
    ['2*3*4', '<p>2<em>3</em>4</p>'],
  ])('%j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it('keeps the lines and spaces of code', () => {
    expect(shown('```js\n  a\n\n- b\n```\nend')).toMatch(
      /<pre[^>]*> {2}a\n\n- b<\/pre><p>end<\/p>$/,
    )
  })
})

describe('what is not', () => {
  it.each([
    ['<img src=x onerror=alert(1)>'],
    ['<script>alert(1)</script>'],
    ['[click](javascript:alert(1))'],
    ['[click](https://evil.example/)'],
    ['![pixel](https://evil.example/p.png)'],
  ])('%s loads and runs nothing', (text) => {
    shown(text)
    expect(root.querySelectorAll('img, script, a, [href], [src], [onerror]')).toHaveLength(0)
  })

  it('shows the address of a link', () => {
    expect(shown('[click](https://evil.example/)')).toContain('click (<code>https://evil.example/')
  })
})

describe('templates', () => {
  it('fills in values, and keeps white space', () => {
    expect(filled('# {path}\n\n[- from {a}]\n- to {b}', { path: '/x', b: '/y' })).toBe(
      '<p><strong><mark>/x</mark></strong></p><ul><li>to <mark>/y</mark></li></ul>',
    )
    expect(filled('```\n  {text}\n```', { text: 'a\n  b' })).toContain('  <mark>a\n  b</mark>')
  })

  it.each([['# big'], ['**bold**'], ['`code`'], ['\n\n- list'], ['\uE0021\uE003'], ['</p><b>']])(
    'a value is text: %j',
    (value) => {
      filled('Write {value}.', { value })
      expect(root.querySelector('mark')?.textContent).not.toBe('')
      expect(root.querySelectorAll('strong, code, li, b')).toHaveLength(0)
      expect(root.querySelectorAll('mark')).toHaveLength(1)
    },
  )

  it('is null beyond the limits of templates', () => {
    expect(fillMarkdown('x'.repeat(2_001), {})).toBeNull()
  })
})
