/**
 * Forms as tools: when there is one, how it is filled in, submitted, answered and called off.
 *
 * @module
 */

import { type Cases, event, failure, settled, windowOf } from './case.ts'
import { type FormPage, respondTo, withForm } from './form.ts'

const AUTO = { toolautosubmit: '' }
const TEXT = '<input name="a" value="old">'
const FAILS = { fails: 'UnknownError' }

/** What a call with this input leaves in the form, or how it fails. */
const filled = (html: string, input: object) =>
  withForm(html, AUTO, async (page) => {
    respondTo(page.form, 'done')
    const answer = await page.run(input)
    const values = [...new FormData(page.form)].map(([name, value]) => `${name}=${value as string}`)
    return answer === 'done' ? values : answer
  })

/** The events that a call with this input brings about. */
const events = (html: string, input: object, attributes: Record<string, string> = AUTO) =>
  withForm(html, attributes, async (page) => {
    respondTo(page.form, 'done')
    await page.run(input)
    return page.log
  })

const answered = (listener: (event: SubmitEvent, respond: (x?: unknown) => void) => void) =>
  withForm(TEXT, AUTO, async (page) => {
    page.form.addEventListener('submit', (event) =>
      listener(event, (value) => {
        Reflect.apply(Reflect.get(event, 'respondWith'), event, [value])
      }),
    )
    return page.run({ a: 'new' })
  })

/** What a call answers whose response comes after a change of the form has been noticed. */
const afterAnswer = (change: (form: HTMLFormElement) => void) =>
  withForm(TEXT, AUTO, async (page) => {
    const gate = Promise.withResolvers<string>()
    respondTo(page.form, gate.promise)
    const answer = page.run({})
    await settled()
    change(page.form)
    await settled()
    const left = await names(page)
    gate.resolve('late')
    return left.length === 0 ? answer : left
  })

const changes = async (page: FormPage, change: () => unknown) => {
  await page.tool()
  await settled()
  let count = 0
  page.context.ontoolchange = () => count++
  await change()
  await settled()
  page.context.ontoolchange = null
  return count
}

const names = async ({ context }: FormPage) => (await context.getTools()).map(({ name }) => name)

const COLOURS =
  '<select name="s"><option value="r">Red<option value="g">Green<option value="2">Two</select>'
const MANY =
  '<select name="s" multiple><option value="r" selected>Red<option value="g">Green<option>B</select>'
const BOXES =
  '<input type="checkbox" name="b" value="1" checked><input type="checkbox" name="b" value="2">'
const RADIOS =
  '<input type="radio" name="r" value="1" checked><input type="radio" name="r" value="2">'

export const forms: Cases = {
  'a tool like others, without annotations': {
    run: withForm(TEXT, { tooltitle: 'T' }, async (page) => {
      const tool = await page.tool()
      const { annotations, description, inputSchema, name, origin, title } = tool
      const data = [annotations ?? null, description, name, origin, title, typeof inputSchema]
      return [data, windowOf(tool) === window]
    }),
    want: [[null, 'A form', 'form', 'ORIGIN', 'T', 'object'], true],
  },
  'an empty description is valid': {
    run: withForm(TEXT, { tooldescription: '' }, async (page) => (await page.tool()).description),
    want: '',
  },
  'no name, no tool': {
    run: withForm(TEXT, { toolname: '' }, async (page) => {
      await settled()
      return names(page)
    }),
    want: [],
  },
  'a name that is none, no tool': {
    run: withForm(TEXT, { toolname: 'a b' }, async (page) => {
      await settled()
      return names(page)
    }),
    want: [],
  },
  'the first of two with one name': {
    run: withForm(TEXT, {}, async (page) => {
      await page.tool()
      page.form.insertAdjacentHTML(
        'afterend',
        '<form toolname="form" tooldescription="Second"></form>',
      )
      await settled()
      return [(await page.tool()).description, await names(page)]
    }),
    want: ['A form', ['form']],
  },
  'a name that a form has is taken': {
    run: withForm(TEXT, {}, async (page) => {
      await page.tool()
      return failure(() => page.register({ name: 'form' }))
    }),
    want: 'InvalidStateError',
  },
  'a form in an open shadow root': {
    run: withForm(TEXT, { toolname: 'outer' }, async (page) => {
      const host = document.createElement('div')
      page.form.after(host)
      host.attachShadow({ mode: 'open' }).innerHTML =
        '<form toolname="form" tooldescription="Inside"><button>Go</button></form>'
      return (await page.tool()).description
    }),
    want: 'Inside',
  },
  'a form in a shadow root inside another one': {
    run: withForm(TEXT, { toolname: 'outer' }, async (page) => {
      const host = document.createElement('div')
      const inner = document.createElement('div')
      host.attachShadow({ mode: 'open' }).append(inner)
      inner.attachShadow({ mode: 'open' }).innerHTML =
        '<form toolname="form" tooldescription="Inside"><button>Go</button></form>'
      page.form.after(host)
      return (await page.tool()).description
    }),
    want: 'Inside',
  },
  'a form in a shadow root that a parser makes': {
    run: withForm(TEXT, { toolname: 'outer' }, async (page) => {
      const host = document.createElement('div')
      Reflect.apply(Reflect.get(host, 'setHTMLUnsafe'), host, [
        '<p><template shadowrootmode="open"><form toolname="form" tooldescription="Parsed"></form></template></p>',
      ])
      page.form.after(host)
      return (await page.tool()).description
    }),
    want: 'Parsed',
  },
  'two changes for a batch: removed, added': {
    run: withForm(TEXT, {}, (page) =>
      changes(page, () => {
        page.form.setAttribute('tooldescription', 'Other')
        page.field('a').required = true
        page.form.insertAdjacentHTML('afterbegin', '<input name="b">')
      }),
    ),
    want: 2,
  },
  'no change for unrelated attributes': {
    run: withForm(TEXT, {}, (page) =>
      changes(page, () => {
        page.form.append('text')
        page.form.className = 'other'
      }),
    ),
    want: 0,
  },
  'two changes when a call is to submit it': {
    run: withForm(TEXT, {}, (page) =>
      changes(page, () => page.form.setAttribute('toolautosubmit', '')),
    ),
    want: 2,
  },
  'one change when it goes': {
    run: withForm(TEXT, {}, (page) => changes(page, () => page.form.remove())),
    want: 1,
  },
  'gone with its attribute': {
    run: withForm(TEXT, {}, async (page) => {
      await page.tool()
      page.form.removeAttribute('tooldescription')
      await settled()
      return names(page)
    }),
    want: [],
  },

  'fill: text': { run: filled(TEXT, { a: 'new' }), want: ['a=new'] },
  'fill: a control with the name of a prototype': {
    run: withForm('<input name="__proto__">', AUTO, async (page) => {
      respondTo(page.form, 'done')
      const { inputSchema } = await page.tool()
      const input: object = JSON.parse('{"__proto__":"new"}')
      return [JSON.stringify(inputSchema), await page.run(input), page.field('__proto__').value]
    }),
    want: [
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":[]}',
      'done',
      'new',
    ],
  },
  'fill: numbers and booleans as text': {
    run: filled('<input name="a"><textarea name="b"></textarea>', { a: 5, b: true }),
    want: ['a=5', 'b=true'],
  },
  'fill: what is left out is left alone': { run: filled(TEXT, {}), want: ['a=old'] },
  'fill: nothing at all': { run: filled(TEXT, { a: '' }), want: ['a='] },
  'fill: null': { run: filled(TEXT, { a: null }), want: FAILS },
  'fill: an object': { run: filled(TEXT, { a: {} }), want: FAILS },
  'fill: a list': { run: filled(TEXT, { a: ['x'] }), want: FAILS },
  'fill: a list for everything': { run: filled(TEXT, ['x']), want: FAILS },
  'fill: an unknown parameter': { run: filled(TEXT, { zz: 1 }), want: FAILS },
  'fill: a read-only parameter': {
    run: filled('<input name="a" readonly>', { a: 1 }),
    want: FAILS,
  },
  'fill: a number': { run: filled('<input name="n" type="number">', { n: 4 }), want: ['n=4'] },
  'fill: a numeric text': {
    run: filled('<input name="n" type="number">', { n: '4' }),
    want: ['n=4'],
  },
  'fill: no number': { run: filled('<input name="n" type="number">', { n: 'zz' }), want: FAILS },
  'fill: a bad value changes nothing': {
    run: withForm(`${TEXT}<input name="n" type="number">`, AUTO, async (page) => [
      await page.run({ a: 'new', n: 'zz' }),
      page.field('a').value,
    ]),
    want: [FAILS, 'old'],
  },
  'fill: a date': {
    run: filled('<input name="d" type="date">', { d: '2026-11-21' }),
    want: ['d=2026-11-21'],
  },
  'fill: no date': {
    run: filled('<input name="d" type="date">', { d: '21.11.2026' }),
    want: FAILS,
  },
  'fill: a time': {
    run: filled('<input name="t" type="time">', { t: '10:30' }),
    want: ['t=10:30'],
  },
  'fill: no time': { run: filled('<input name="t" type="time">', { t: '25:00' }), want: FAILS },
  'fill: a colour': {
    run: filled('<input name="c" type="color">', { c: '#ff0000' }),
    want: ['c=#ff0000'],
  },
  'fill: a colour by name': {
    run: filled('<input name="c" type="color">', { c: 'red' }),
    want: ['c=#ff0000'],
  },
  'fill: no colour is black': {
    run: filled('<input name="c" type="color" value="#ff0000">', { c: 'zz' }),
    want: ['c=#000000'],
  },
  'fill: a range': { run: filled('<input name="g" type="range">', { g: 70 }), want: ['g=70'] },
  'fill: a checkbox': {
    run: filled('<input name="c" type="checkbox">', { c: true }),
    want: ['c=on'],
  },
  'fill: a checkbox cleared': {
    run: filled('<input name="c" type="checkbox" checked>', { c: false }),
    want: [],
  },
  'fill: a checkbox by text': {
    run: filled('<input name="c" type="checkbox">', { c: 'true' }),
    want: ['c=on'],
  },
  'fill: a checkbox by 1': {
    run: filled('<input name="c" type="checkbox">', { c: 1 }),
    want: ['c=on'],
  },
  'fill: a checkbox by 0': {
    run: filled('<input name="c" type="checkbox" checked>', { c: 0 }),
    want: [],
  },
  'fill: a checkbox by yes': {
    run: filled('<input name="c" type="checkbox">', { c: 'yes' }),
    want: FAILS,
  },
  'fill: checkboxes': { run: filled(BOXES, { b: ['2'] }), want: ['b=2'] },
  'fill: checkboxes by number': { run: filled(BOXES, { b: [2] }), want: ['b=2'] },
  'fill: no list for checkboxes': { run: filled(BOXES, { b: '2' }), want: FAILS },
  'fill: an unknown box': { run: filled(BOXES, { b: ['3'] }), want: FAILS },
  'fill: radio buttons': { run: filled(RADIOS, { r: '2' }), want: ['r=2'] },
  'fill: an unknown button': { run: filled(RADIOS, { r: '3' }), want: FAILS },
  'fill: a choice': { run: filled(COLOURS, { s: 'g' }), want: ['s=g'] },
  'fill: a choice by number': { run: filled(COLOURS, { s: 2 }), want: ['s=2'] },
  'fill: an unknown choice': { run: filled(COLOURS, { s: 'Green' }), want: FAILS },
  // It sends nothing: a browser leaves the value of a disabled option out of what it submits.
  'fill: a disabled choice': {
    run: filled('<select name="s"><option>A<option disabled>B</select>', { s: 'B' }),
    want: FAILS,
    native: [],
  },
  'fill: choices': { run: filled(MANY, { s: ['g', 'B'] }), want: ['s=g', 's=B'] },
  'fill: no list for choices': { run: filled(MANY, { s: 'g' }), want: FAILS },

  'events: text': {
    run: events(TEXT, { a: 'new' }),
    want: ['input a', 'change a', 'submit true', 'toolactivated'],
  },
  'events: the same text': {
    run: events(TEXT, { a: 'old' }),
    want: ['submit true', 'toolactivated'],
  },
  'events: choices, one pair': {
    run: events(MANY, { s: ['g', 'B'] }),
    want: ['input s', 'change s', 'submit true', 'toolactivated'],
  },
  'events: a choice': {
    run: events(COLOURS, { s: 'g' }),
    want: ['input s', 'change s', 'submit true', 'toolactivated'],
  },
  'events: the same choice': {
    run: events(COLOURS, { s: 'r' }),
    want: ['submit true', 'toolactivated'],
  },
  'events: a checkbox': {
    run: events('<input name="c" type="checkbox">', { c: true }),
    want: ['input c', 'change c', 'submit true', 'toolactivated'],
  },
  'events: a checkbox as it was': {
    run: events('<input name="c" type="checkbox" checked>', { c: true }),
    want: ['change c', 'submit true', 'toolactivated'],
  },
  'events: checkboxes': {
    run: events(BOXES, { b: ['2'] }),
    want: ['input b', 'change b', 'input b', 'change b', 'submit true', 'toolactivated'],
  },
  'events: radio buttons': {
    run: events(RADIOS, { r: '2' }),
    want: ['input r', 'change r', 'submit true', 'toolactivated'],
  },

  'answer: a string as it is': {
    run: answered((event, respond) => {
      event.preventDefault()
      respond('hello')
    }),
    want: 'hello',
  },
  'answer: an object, later': {
    run: answered((event, respond) => {
      event.preventDefault()
      respond(settled(10).then(() => ({ a: 1 })))
    }),
    want: '{"a":1}',
  },
  'answer: undefined': {
    run: answered((event, respond) => {
      event.preventDefault()
      respond()
    }),
    want: 'undefined',
  },
  'answer: rejected': {
    run: answered((event, respond) => {
      event.preventDefault()
      respond(Promise.reject(new Error('mine')))
    }),
    want: FAILS,
  },
  'answer: prevented, and none': {
    run: answered((event) => event.preventDefault()),
    want: FAILS,
  },
  'answer: none given is a TypeError': {
    run: withForm(TEXT, AUTO, async (page) => {
      let thrown = ''
      page.form.addEventListener('submit', (event) => {
        event.preventDefault()
        try {
          Reflect.apply(Reflect.get(event, 'respondWith'), event, [])
        } catch (error) {
          thrown = error instanceof TypeError ? 'TypeError' : 'other'
        }
      })
      return [await page.run({ a: 'new' }), thrown]
    }),
    want: [FAILS, 'TypeError'],
  },
  'answer: not on a receiver that is no submit event': {
    run: () => {
      const { prototype } = SubmitEvent
      const read = (self: unknown) => Reflect.get(prototype, 'agentInvoked', self)
      const respond = (self: unknown, ...args: unknown[]) =>
        Reflect.apply(Reflect.get(prototype, 'respondWith', new SubmitEvent('submit')), self, args)
      const foreign = [undefined, null, 'text', {}, new Event('submit'), prototype]
      const actions = [...foreign, new SubmitEvent('submit')].map((self) =>
        Promise.all(
          [read, respond, (one: unknown) => respond(one, 1)].map((act) => failure(() => act(self))),
        ),
      )
      return Promise.all(actions)
    },
    want: [
      ...Array.from({ length: 6 }, () => ['TypeError', 'TypeError', 'TypeError']),
      ['nothing', 'TypeError', 'InvalidStateError'],
    ],
  },
  'answer: later than the form is removed': {
    run: afterAnswer((form) => form.remove()),
    want: 'late',
    native: FAILS,
  },
  'answer: later than the form is a tool': {
    run: afterAnswer((form) => form.removeAttribute('tooldescription')),
    want: 'late',
    native: FAILS,
  },
  'answer: from a handler that removes the form': {
    run: withForm(TEXT, AUTO, (page) => {
      respondTo(page.form, 'done')
      page.form.addEventListener('submit', () => page.form.remove())
      return page.run({})
    }),
    want: 'done',
  },
  'answer: without preventing': {
    run: withForm(TEXT, AUTO, async (page) => {
      let thrown = ''
      page.form.addEventListener('submit', (event) => {
        try {
          Reflect.apply(Reflect.get(event, 'respondWith'), event, ['x'])
        } catch (error) {
          thrown = error instanceof DOMException ? error.name : 'other'
        }
      })
      return [await page.run({ a: 'new' }), thrown]
    }),
    want: [null, 'InvalidStateError'],
  },
  'answer: null when it navigates, be it in a frame': {
    run: withForm(TEXT, AUTO, (page) => page.run({ a: 'new' })),
    want: null,
  },
  'answer: null when the handler submits by itself': {
    run: withForm(TEXT, AUTO, async (page) => {
      page.form.addEventListener('submit', (event) => {
        event.preventDefault()
        page.form.submit()
      })
      return page.run({ a: 'new' })
    }),
    want: null,
  },
  'submit: trusted, with the button': {
    run: withForm(TEXT, AUTO, async (page) => {
      const seen: unknown[] = []
      page.form.addEventListener('submit', (event) => {
        seen.push(event.isTrusted, event.submitter === page.form.querySelector('button'))
      })
      respondTo(page.form, 'done')
      await page.run({})
      return seen
    }),
    want: [true, true],
  },
  'submit: not what is invalid': {
    run: withForm('<input name="a" required>', AUTO, async (page) => [
      await page.run({ a: '' }),
      page.log.includes('submit true'),
    ]),
    want: [FAILS, false],
  },
  'submit: an invalid form with novalidate': {
    run: withForm('<input name="a" required>', { ...AUTO, novalidate: '' }, (page) =>
      page.run({ a: '' }),
    ),
    want: null,
  },
  "submit: a person's own is not the agent's": {
    run: withForm(TEXT, {}, async (page) => {
      await page.tool()
      let thrown = ''
      page.form.addEventListener('submit', (event) => {
        event.preventDefault()
        try {
          Reflect.apply(Reflect.get(event, 'respondWith'), event, ['x'])
        } catch (error) {
          thrown = error instanceof DOMException ? error.name : 'other'
        }
      })
      page.form.requestSubmit()
      return [page.log.filter((line) => line.startsWith('submit')), thrown]
    }),
    want: [['submit false'], 'InvalidStateError'],
  },
  'by hand: filled in, events fired, focused, and waiting for the user': {
    run: withForm(TEXT, {}, async (page) => {
      respondTo(page.form, 'sent')
      const answer = page.run({ a: 'new' })
      await settled()
      const focused = document.activeElement?.localName
      page.form.querySelector('button')?.click()
      return [await answer, focused, page.log]
    }),
    want: [
      'sent',
      'button',
      ['input a', 'change a', 'focusin -', 'toolactivated', 'click -', 'submit true'],
    ],
  },
  'by hand: answered when its handler removes the form': {
    run: withForm(TEXT, {}, async (page) => {
      respondTo(
        page.form,
        settled(30).then(() => 'sent'),
      )
      page.form.addEventListener('submit', () => page.form.remove())
      const activated = event(page.context, 'toolactivated')
      const answer = page.run({ a: 'new' })
      await activated
      page.form.querySelector('button')?.click()
      return answer
    }),
    want: 'sent',
  },
  'by hand: not without a button': {
    run: withForm(TEXT, {}, async (page) => {
      await page.tool()
      page.form.querySelector('button')?.remove()
      await settled()
      return page.run({ a: 'new' })
    }),
    want: FAILS,
  },
  'by hand: a submission answers the last call, and fails those that it has overtaken': {
    run: withForm(TEXT, {}, async (page) => {
      respondTo(page.form, 'sent')
      const answers = [page.run({ a: '1' }), page.run({ a: '2' })]
      await settled()
      page.form.querySelector('button')?.click()
      return Promise.race([Promise.all(answers), settled(300).then(() => 'waiting')])
    }),
    want: [FAILS, 'sent'],
    native: 'waiting',
  },
  'by hand: invalid fields are shown to the user': {
    run: withForm('<input name="a" required>', {}, async (page) => {
      const answer = page.run({ a: '' })
      const first = await Promise.race([answer, settled(100).then(() => 'waiting')])
      page.form.reset()
      return [first, await answer]
    }),
    want: ['waiting', FAILS],
  },
  'cancelled by a reset': {
    run: withForm(TEXT, {}, async (page) => {
      const answer = page.run({ a: 'new' })
      await settled()
      page.form.reset()
      return answer
    }),
    want: FAILS,
  },
  'cancelled when the form is removed': {
    run: withForm(TEXT, {}, async (page) => {
      const answer = page.run({ a: 'new' })
      await settled()
      page.form.remove()
      return answer
    }),
    want: FAILS,
  },
  'cancelled when a script submits the form and removes it': {
    run: withForm(TEXT, {}, async (page) => {
      respondTo(page.form, 'sent')
      const answer = page.run({ a: 'new' })
      await settled()
      page.form.requestSubmit()
      page.form.remove()
      return answer
    }),
    want: FAILS,
  },
  'cancelled when the tool changes': {
    run: withForm(TEXT, {}, async (page) => {
      const answer = page.run({ a: 'new' })
      await settled()
      page.form.setAttribute('tooldescription', 'Other')
      return answer
    }),
    want: FAILS,
  },
  'aborted by the caller: toolcancel is fired, and the values stay': {
    run: withForm(TEXT, {}, async (page) => {
      const over = new AbortController()
      const answer = page.run({ a: 'new' }, over.signal)
      await settled()
      over.abort()
      return [await answer, await event(page.context, 'toolcancel'), page.field('a').value]
    }),
    want: [{ fails: 'AbortError' }, 'fired', 'new'],
  },
}
