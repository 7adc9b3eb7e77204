import { renderIntent } from '#core/intent/render.ts'
import { parseIntent } from '#core/intent/template.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { intrinsics } from '#polyfill/approval/intrinsics.ts'
import { amountIn } from '#polyfill/approval/ui/amount.ts'
import { setIntrinsics } from '#polyfill/approval/ui/intrinsics.ts'

beforeAll(() => {
  if (intrinsics) setIntrinsics(intrinsics)
})

describe('the amount of a call', () => {
  it.each<[string, object, string]>([
    ['Pay {amount} euros', { amount: 12 }, '12'],
    ['Pay {amount} {currency}', { amount: 1200.5, currency: 'EUR' }, '1200.5 EUR'],
    ['Pay {currency} {amount}', { amount: '7', currency: 'JPY' }, '7 JPY'],
    ['Order for {order.totalPrice}', { order: { totalPrice: 3 } }, '3'],
    [
      'Pay {total.value} {total.currency}',
      { total: { value: '55.00', currency: 'USD' } },
      '55.00 USD',
    ],
    ['Pay [{items.price}]', { items: [{ price: 1 }, { price: 2 }] }, '1, 2'],
    ['Pay {amount}', { amount: -5 }, '-5'],
    ['Pay {amount}', {}, ''],
    ['Pay {amount|12}', {}, ''],
    ['Convert to {currency}', { currency: 'EUR' }, ''],
    ['Write {pricelist} to {priceless.path}', { pricelist: 'a', priceless: { path: 'b' } }, ''],
    ['Say {text}', { text: 'amount' }, ''],
  ])('%s', (template, args, amount) => {
    expect(amountIn(renderIntent(parseIntent(template), args))).toBe(amount)
  })

  it('is absent without an intent', () => {
    expect(amountIn(null)).toBe('')
  })
})
