/**
 * The shop of the page, with a tool at each approval level.
 *
 * @module
 */

import type { PageModelContext, PageTool } from '#polyfill/page-types.ts'
import { el, find } from './dom.ts'

interface Tea {
  readonly name: string
  readonly price: number
  readonly taste: string
}

const TEAS: ReadonlyMap<string, Tea> = new Map([
  ['assam', { name: 'Assam', price: 6, taste: 'Malty, strong' }],
  ['sencha', { name: 'Sencha', price: 9, taste: 'Green, fresh' }],
  ['oolong', { name: 'Oolong', price: 14, taste: 'Floral, light' }],
])

const cart = new Map<string, number>()

const total = () =>
  [...cart].reduce((sum, [id, count]) => sum + (TEAS.get(id)?.price ?? 0) * count, 0)

const line = (id: string, count: number) => `${count} × ${TEAS.get(id)?.name ?? id}`

/** Draws the shop, and registers its tools. */
export async function startShop(): Promise<void> {
  find('teas').append(...[...TEAS].map(drawTea))
  drawCart()
  const context: PageModelContext | undefined = Reflect.get(document, 'modelContext')
  if (!context) return
  await context.registerTool(findTeas)
  await context.registerTool(setNote)
  await context.registerTool(changeCart)
  await context.registerTool(pay)
}

function drawTea([id, { name, price, taste }]: readonly [string, Tea]): HTMLElement {
  return el('li', { class: `tea ${id}` }, [
    el('b', {}, [name]),
    el('span', {}, [taste]),
    el('i', {}, [`${price} EUR`]),
  ])
}

function drawCart(): void {
  const lines = [...cart].map(([id, count]) => el('li', {}, [line(id, count)]))
  find('cart').replaceChildren(
    ...(lines.length > 0 ? lines : [el('li', { class: 'hint' }, ['Nothing yet'])]),
  )
  find('total').textContent = `${total()} EUR`
}

const findTeas: PageTool<{ max_price?: number }> = {
  name: 'find_teas',
  title: 'Find teas',
  description: 'Lists teas that cost no more than max_price EUR.',
  inputSchema: { type: 'object', properties: { max_price: { type: 'number', default: 10 } } },
  annotations: { readOnlyHint: true },
  execute: ({ max_price: most = Infinity }) =>
    [...TEAS].filter(([, { price }]) => price <= most).map(([id, tea]) => ({ id, ...tea })),
}

const setNote: PageTool<{ text: string }> = {
  name: 'set_headline',
  title: 'Set the headline',
  description: 'Replaces the headline of the page.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', default: 'Teas for a rainy day' } },
    required: ['text'],
  },
  annotations: { humanInTheLoopHint: 'notify', intentTemplate: 'Set the headline to {text}' },
  execute({ text }) {
    find('shop').textContent = text.slice(0, 80)
    return 'done'
  },
}

const changeCart: PageTool<{ tea: string; count: number }> = {
  name: 'change_cart',
  title: 'Change the cart',
  description: 'Sets how many packets of a tea are in the cart.',
  inputSchema: {
    type: 'object',
    properties: {
      tea: { type: 'string', enum: [...TEAS.keys()] },
      count: { type: 'integer', minimum: 0, default: 2 },
    },
    required: ['tea', 'count'],
  },
  annotations: {
    humanInTheLoopHint: 'review',
    intentTemplate: 'Put {count} packets of {tea} into the cart',
  },
  preview({ tea, count }) {
    if (!TEAS.has(tea)) return { isError: true, content: [{ type: 'text', text: `No tea ${tea}` }] }
    const before = cart.get(tea)
    const removed = before === undefined ? [] : [`-${line(tea, before)}`]
    return ['@@ cart', ...removed, `+${line(tea, count)}`].join('\n')
  },
  execute({ tea, count }) {
    if (count > 0) cart.set(tea, Math.min(count, 99))
    else cart.delete(tea)
    drawCart()
    return { total: total() }
  },
}

const pay: PageTool<{ method: string }> = {
  name: 'pay',
  title: 'Pay',
  description: 'Pays for what is in the cart. No money moves: this is a playground.',
  inputSchema: {
    type: 'object',
    properties: { method: { type: 'string', enum: ['card', 'invoice'] } },
    required: ['method'],
  },
  annotations: {
    consequentialHint: true,
    humanInTheLoopHint: 'confirm',
    intentTemplate: 'Pay for the cart by {method}',
  },
  execute({ method }) {
    find('paid').textContent = `Paid ${total()} EUR by ${method}.`
    cart.clear()
    drawCart()
    return 'paid'
  },
}
