/** Which tools count as sensitive, and which do not. */

import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { APPROVAL_LEVELS } from '#core/approval.ts'
import { effectivePolicy } from '#polyfill/index.ts'
import { sensitiveLevel } from '#polyfill/approval/sensitive.ts'

const isSensitive = (...given: Parameters<typeof sensitiveLevel>) =>
  sensitiveLevel(...given) !== 'none'

const reading = { readOnlyHint: true }

describe('the name', () => {
  it.each([
    'pay',
    'payNow',
    'PAY',
    'PAYNow',
    'make_payment',
    'make-payment',
    'cart.checkout',
    'checkoutCart2',
    'deleteURL',
    'DELETE_FILE',
    'removeItems',
    'sendEmail',
    'email.createDraft',
    'sendSMS',
    'place_order',
    'list_messages',
    'get_payment_history',
  ])('%s is sensitive', (name) => {
    expect(isSensitive({ name })).toBe(true)
  })

  it.each([
    'add_note',
    'search',
    'payload_size',
    'repay',
    'sender',
    'sandbox',
    'reorder',
    'display',
    'removed',
    'set_theme',
    'postpone',
    'compost',
    'shared_list',
    '',
  ])('%s is not', (name) => {
    expect(isSensitive({ name })).toBe(false)
  })

  it.each([
    ['get_payment_history', false],
    ['list_messages', false],
    ['get_send_status', false],
    ['order_status', false],
    ['paymentMethods', false],
    ['pay_invoice', true],
    ['deleteFile', true],
  ])('%s of a tool that only reads: %s', (name, expected) => {
    expect(isSensitive({ name, annotations: reading })).toBe(expected)
  })

  it('counts as before when readOnlyHint is inherited', () => {
    const annotations = Object.create(reading) as typeof reading
    expect(isSensitive({ name: 'make_payment', annotations })).toBe(true)
  })
})

describe('the intent', () => {
  it.each([
    ['Pay {x}', true],
    ['Place the order [of {shop}]', true],
    ['Set the theme to {message}', false],
    ['Search for {query|messages}', false],
    ['Set {amount}', true],
    ['Set {line.totalCost|0}', true],
    ['Set {price.value}', true],
    ['Set {amounts}', false],
    ['Overpay', false],
    ['Übersend Ähnliches', false],
  ])('%s: %s', (intentTemplate, expected) => {
    expect(isSensitive({ name: 'a', annotations: { intentTemplate } })).toBe(expected)
  })

  it.each([
    ['a letter of another script', 'P\u0430y {x}'],
    ['a character without width', 'De\u200Blete {x}'],
    ['another language', 'Bezahle {x}'],
  ])('is not recognised with %s', (_, intentTemplate) => {
    expect(isSensitive({ name: 'a', annotations: { intentTemplate } })).toBe(false)
  })

  it('of a tool that only reads counts when it begins with an act', () => {
    const sensitive = (intentTemplate: string) =>
      isSensitive({ name: 'a', annotations: { ...reading, intentTemplate } })
    expect(sensitive('Show payments of more than {amount}')).toBe(false)
    expect(sensitive('Delete {path}')).toBe(true)
  })
})

describe('the arguments', () => {
  const schema = (...names: readonly string[]) => ({
    type: 'object',
    description: 'The amount: a "price" with a total. It has {cost}, (price|total)',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
    required: names,
  })
  const forms = [
    ['an object', (given: object): unknown => given],
    ['JSON', (given: object): unknown => JSON.stringify(given)],
  ] as const

  it.each(forms)('of a schema that is %s are sensitive when one is an amount', (_, form) => {
    expect(isSensitive({ name: 'a', schema: form(schema('x')) })).toBe(false)
    for (const name of ['amount', 'maxPrice', 'total_cost', 'Total'])
      expect(isSensitive({ name: 'a', schema: form(schema('x', name)) })).toBe(true)
    const inner = { type: 'object', properties: { order: schema('price') } }
    expect(isSensitive({ name: 'a', schema: form(inner) })).toBe(true)
  })

  it('of a tool that only reads are not', () => {
    expect(isSensitive({ name: 'a', annotations: reading, schema: schema('max_price') })).toBe(
      false,
    )
  })

  it('of a form are the names of its fields', () => {
    expect(isSensitive({ name: 'a', schema: ['/', '"amount":"number"\n'] })).toBe(true)
    expect(isSensitive({ name: 'a', schema: ['/', '"x":"number"\n'] })).toBe(false)
    expect(isSensitive({ name: 'a', schema: ['/amount', '"x":null\n'] })).toBe(false)
  })
})

describe('the level', () => {
  it.each([
    [undefined, 'notify'],
    ['none', 'notify'],
    ['notify', 'notify'],
    ['review', 'review'],
    ['confirm', 'confirm'],
    ['reveiw', 'confirm'],
  ])('for a site that asks for %s is %s', (level, expected) => {
    expect(sensitiveLevel({ name: 'pay' }, level)).toBe(expected)
    expect(sensitiveLevel({ name: 'look' }, level)).toBe('none')
  })

  it('is part of the effective policy, and lowers none', () => {
    const hint = fc.option(fc.constantFrom(...APPROVAL_LEVELS), { nil: undefined })
    const holds = fc.property(hint, (humanInTheLoopHint) => {
      const annotations = { humanInTheLoopHint }
      const level = effectivePolicy({ name: 'look', annotations })
      const expected = level === 'none' ? 'notify' : level
      expect(effectivePolicy({ name: 'pay', annotations })).toBe(expected)
    })
    fc.assert(holds)
    expect(effectivePolicy({ name: 'get_payments', annotations: reading })).toBe('none')
  })
})
