/** The template tag for HTML: values are text, in elements and in attributes. */

import { joinHtml, markup } from '#worker/encoding/html.ts'
import { expect, it } from 'vitest'

const HOSTILE = `a"b'c<d>e&f`
const ESCAPED = 'a&quot;b&#39;c&lt;d&gt;e&amp;f'

it('escapes a value, in an element and between quotes of either kind', () => {
  expect(markup`<b title="${HOSTILE}">${HOSTILE}</b>`.toString()).toBe(
    `<b title="${ESCAPED}">${ESCAPED}</b>`,
  )
  expect(markup`<b title='${HOSTILE}'></b>`.toString()).toBe(`<b title='${ESCAPED}'></b>`)
})

it('takes numbers, nothing, and HTML of its own, which is escaped once', () => {
  const inner = markup`<i>${HOSTILE}</i>`
  expect(markup`${1}${null}${inner}${[inner, inner]}`.toString()).toBe(
    `1${`<i>${ESCAPED}</i>`.repeat(3)}`,
  )
  expect(joinHtml([inner, markup``]).toString()).toBe(`<i>${ESCAPED}</i>`)
})
