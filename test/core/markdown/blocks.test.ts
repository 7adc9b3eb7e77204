/** The blocks of Markdown. */

import { expect, it } from 'vitest'
import { parseMarkdown } from '#core/markdown/blocks.ts'
import { plainText, type Block } from '#core/markdown/tree.ts'

/** Blocks as short text. */
const write = (blocks: readonly Block[]): string => blocks.map(writeOne).join(' ')

function writeOne(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `h${block.level}(${plainText(block.children)})`
    case 'paragraph':
      return `p(${plainText(block.children)})`
    case 'code':
      return `code.${block.language}(${block.text})`
    case 'quote':
      return `quote(${write(block.children)})`
    case 'rule':
      return 'rule'
    case 'list': {
      const items = block.items.map(({ isDone, children }) => {
        const task = isDone === null ? '' : isDone ? 'x ' : '_ '
        return `${task}${write(children)}`
      })
      return `${block.start === null ? 'ul' : `ol${block.start}`}${block.isLoose ? '+' : ''}(${items.join(' | ')})`
    }
    case 'table': {
      const row = (cells: Extract<Block, { type: 'table' }>['head']) =>
        cells.map(plainText).join(',')
      return `table[${block.alignments.join()}](${[block.head, ...block.rows].map(row).join(' / ')})`
    }
  }
}

it.each([
  ['# A\n## B ##\n#no', 'h1(A) h2(B) p(#no)'],
  ['A\n===\nB\nc\n---', 'h1(A) h2(B\nc)'],
  ['a\nb\n\nc', 'p(a\nb) p(c)'],
  ['a\n# b\n> c\n- d', 'p(a) h1(b) quote(p(c)) ul(p(d))'],
  ['---\n***\n_ _ _', 'rule rule rule'],
  ['```js x\na\n\n b\n```\nc', 'code.js(a\n\n b) p(c)'],
  ['~~~\n```\n~~~~', 'code.(```)'],
  ['```\nnever closed', 'code.(never closed)'],
  ['    a\n\n    b\nc', 'code.(a\n\nb) p(c)'],
  ['> a\n> > b\n> - c', 'quote(p(a) quote(p(b)) ul(p(c)))'],
  ['- a\n- b\n  c\n\n  d\n- e', 'ul(p(a) | p(b\nc) p(d) | p(e))'],
  ['- a\n\n- b', 'ul+(p(a) | p(b))'],
  ['- a\n* b', 'ul(p(a)) ul(p(b))'],
  ['3. a\n4. b\n1) c', 'ol3(p(a) | p(b)) ol1(p(c))'],
  ['- a\n  - b\n    - c\n- d', 'ul(p(a) ul(p(b) ul(p(c))) | p(d))'],
  ['- [ ] a\n- [x] b\n- [y] c', 'ul(_ p(a) | x p(b) | p([y] c))'],
  ['text\n2. no list', 'p(text\n2. no list)'],
  ['| a | b |\n| :-- | --: |\n| 1 | 2\\|3 | 4 |\n| 5 |', 'table[left,right](a,b / 1,2|3 / 5,)'],
  ['a | b\n- | :-:\n1 | 2\n\nc', 'table[,center](a,b / 1,2) p(c)'],
  ['a | b\n---', 'h2(a | b)'],
  ['a | b\n:- | - | -', 'p(a | b\n:- | - | -)'],
  ['[a]\n\n[a]: /b "t"', 'p(a)'],
  ['---\ntitle: x\n---\n# A', 'code.yaml(title: x) h1(A)'],
  ['<div>\n*a*\n</div>', 'p(<div>\na\n</div>)'],
  ['<!-- note -->', 'p(<!-- note -->)'],
  ['', ''],
])('%j', (text, expected) => {
  expect(write(parseMarkdown(text))).toBe(expected)
})
