/** Highlighted lines in the console: a server's table gives texts and known kinds, and never markup. */

import { render } from 'preact'
import { expect, it } from 'vitest'
import { CodeTable, parseCode } from '#host/console/tools/code-table.tsx'

const row = (number: string, cells: string) =>
  `<tr><td class="line-number">${number}</td><td class="line"><pre>${cells}</pre></td></tr>`

it('takes the lines, their numbers and the kinds of their parts', () => {
  const table = `<style>.code{color:red}</style><table class="code"><tbody>${row('7', 'a <span class="keyword">if</span>&lt;b')}</tbody></table>`
  expect(parseCode({ content: table })).toEqual([
    {
      number: '7',
      tokens: [
        ['a ', null],
        ['if', 'keyword'],
        ['<b', null],
      ],
    },
  ])
})

it('finds none in plain lines, in other markup and in other results', () => {
  for (const content of ['1: <table>', '<p><table><tr></tr></table></p>', '<table></table>', 7])
    expect(parseCode({ content })).toBeNull()
  expect(parseCode(null)).toBeNull()
})

it('draws no element, style, class or script of the server', () => {
  Reflect.set(globalThis, 'hasRun', false)
  const evil =
    '<span class="keyword" style="position:fixed" onclick="hasRun=true">if</span>' +
    '<span class="danger">x</span><img src="x" onerror="hasRun=true"><a href="/x">go</a>'
  const lines = parseCode({ content: `<table><tbody>${row('1', evil)}</tbody></table>` })
  const root = document.body.appendChild(document.createElement('div'))
  render(<CodeTable lines={lines ?? []} />, root)
  expect(root.querySelectorAll('img, a, script, style, [style], [onclick]')).toHaveLength(0)
  expect([...root.querySelectorAll('span')].map((span) => span.outerHTML)).toEqual([
    '<span class="keyword">if</span>',
  ])
  expect(root.textContent).toBe('1ifxgo')
  expect(Reflect.get(globalThis, 'hasRun')).toBe(false)
})
