/** The style sheets of the approval layer use no name that a page can define for the whole document. */

import { CSS as ELEMENT } from '#polyfill/approval/remembered/draw.ts'
import { CSS as DIALOG } from '#polyfill/approval/ui/style.ts'
import { expect, it } from 'vitest'

const SHEETS = { DIALOG, ELEMENT }

/** A page's `@font-face` replaces any other family. */
const GENERIC = ['inherit', 'system-ui', 'sans-serif', 'monospace']

it.each(Object.entries(SHEETS))('%s has no custom property, animation or layer', (_, css) => {
  expect(css.match(/--[\w-]+|var\(|@(?!media)[\w-]+|animation|transition/g)).toBeNull()
})

it.each(Object.entries(SHEETS))('%s has only generic fonts', (_, css) => {
  const families = [...css.matchAll(/\bfont(?:-family)?:([^;}]*)/g)].flatMap(([, value = '']) =>
    value.replace(/^.*\d\S* /, '').split(','),
  )
  expect(families.length).toBeGreaterThan(1)
  for (const family of families) expect(GENERIC).toContain(family)
})
