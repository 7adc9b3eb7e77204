/**
 * What the API looks like from outside: descriptors, names, lengths, tags, brands and events.
 *
 * @module
 */

import { type Cases, contextOf, CRASHES, failure, settled, untyped } from './case.ts'

type Made = new (...args: unknown[]) => object

const made = (name: string): Made => Reflect.get(window, name) as Made
const proto = (name: string): object => made(name).prototype as object

function shape(target: object, name: string): unknown {
  const found = Object.getOwnPropertyDescriptor(target, name)
  if (!found) return 'missing'
  const { enumerable, configurable, writable } = found
  const functions = ['get', 'set', 'value'].map((key) => {
    const part: unknown = Reflect.get(found, key)
    return typeof part === 'function' ? `${part.name}/${part.length}` : '-'
  })
  return [enumerable, configurable, writable ?? '-', ...functions].join(' ')
}

const thrown = (action: () => unknown): string => {
  try {
    return `gave ${String(action())}`
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'other'
  }
}

const TOOL_MEMBERS = [
  'annotations',
  'description',
  'inputSchema',
  'name',
  'origin',
  'outputSchema',
  'source',
  'title',
]

export const surface: Cases = {
  'the attribute of Document': {
    run: () => shape(Document.prototype, 'modelContext'),
    want: 'true true - get modelContext/0 - -',
  },
  'the same object every time': {
    run: () => contextOf(document) === contextOf(document),
    want: true,
  },
  'an object without properties of its own': {
    run: ({ context }) => Reflect.ownKeys(context).length,
    want: 0,
  },
  'the attribute on something else': {
    run: () => thrown(() => Reflect.get(Document.prototype, 'modelContext')).split(':')[0],
    want: 'TypeError',
  },
  'the attribute on an object that only inherits from the document': {
    run: () => thrown(() => Reflect.get(Object.create(document), 'modelContext')).split(':')[0],
    want: 'TypeError',
  },
  'a document without a window': {
    run: () => failure(() => contextOf(new Document()).getTools()),
    want: 'InvalidStateError',
    native: CRASHES,
  },
  'globals that are not enumerable': {
    run: () =>
      ['ModelContext', 'ToolActivatedEvent', 'ToolCancelEvent'].map((name) => shape(window, name)),
    want: [
      'false true true - - ModelContext/0',
      'false true true - - ToolActivatedEvent/1',
      'false true true - - ToolCancelEvent/1',
    ],
  },
  'the interface of tools': {
    run: () =>
      ['Tool']
        .filter((name) => name in window)
        .map((name) => [
          shape(window, name),
          thrown(() => new (made(name))()).includes('Illegal constructor'),
          thrown(() => Reflect.get(proto(name), 'name')).split(':')[0],
          ...TOOL_MEMBERS.map((member) => shape(proto(name), member)),
        ]),
    want: [
      [
        'false true true - - Tool/0',
        true,
        'TypeError',
        ...TOOL_MEMBERS.map((member) => `true true - get ${member}/0 - -`),
      ],
    ],
    native: [],
  },
  'an illegal constructor': {
    run: () => {
      const Made = made('ModelContext')
      return thrown(() => new Made()).includes('Illegal constructor')
    },
    want: true,
  },
  'an event target': {
    run: ({ context }) => [
      context instanceof EventTarget,
      context instanceof made('ModelContext'),
      Object.getPrototypeOf(proto('ModelContext')) === EventTarget.prototype,
      Object.getPrototypeOf(made('ModelContext')) === EventTarget,
      Object.prototype.toString.call(context),
    ],
    want: [true, true, true, true, '[object ModelContext]'],
  },
  'methods and attributes': {
    run: () =>
      Object.keys(Object.getOwnPropertyDescriptors(proto('ModelContext')))
        .toSorted()
        .map((name) => `${name} ${String(shape(proto('ModelContext'), name))}`),
    want: [
      'constructor false true true - - ModelContext/0',
      'executeTool true true true - - executeTool/1',
      'getTools true true true - - getTools/0',
      'ontoolactivated true true - get ontoolactivated/0 set ontoolactivated/1 -',
      'ontoolcancel true true - get ontoolcancel/0 set ontoolcancel/1 -',
      'ontoolchange true true - get ontoolchange/0 set ontoolchange/1 -',
      'registerTool true true true - - registerTool/1',
    ],
  },
  tags: {
    run: () =>
      ['ModelContext', 'ToolActivatedEvent', 'ToolCancelEvent'].map((name) => {
        const found = Object.getOwnPropertyDescriptor(proto(name), Symbol.toStringTag)
        return [found?.value, found?.writable, found?.enumerable, found?.configurable].join(' ')
      }),
    want: [
      'ModelContext false false true',
      'ToolActivatedEvent false false true',
      'ToolCancelEvent false false true',
    ],
  },
  'methods that cannot be constructed': {
    run: () => {
      const Method = Reflect.get(proto('ModelContext'), 'getTools') as Made
      return ['prototype' in Method, thrown(() => new Method()).split(':')[0]]
    },
    want: [false, 'TypeError'],
  },
  'methods of something else reject': {
    run: () =>
      Promise.all(
        ['registerTool', 'getTools', 'executeTool'].map((name) =>
          failure(() => Reflect.apply(Reflect.get(proto('ModelContext'), name), {}, [{}])),
        ),
      ),
    want: ['TypeError', 'TypeError', 'TypeError'],
  },
  'methods without arguments reject, and never throw': {
    async run({ context }) {
      const { registerTool, executeTool } = untyped(context)
      const promises = [registerTool(), executeTool()]
      return Promise.all(promises.map((promise) => failure(() => promise)))
    },
    want: ['TypeError', 'TypeError'],
  },
  'attributes of something else throw': {
    run: () => thrown(() => Reflect.get(proto('ModelContext'), 'ontoolchange', {})).split(':')[0],
    want: 'TypeError',
  },
  'handlers: null at first': {
    run: ({ context }) => [context.ontoolchange, context.ontoolactivated, context.ontoolcancel],
    want: [null, null, null],
  },
  'handlers: a value that is not an object is null, an object that cannot be called does nothing': {
    run({ context }) {
      const held = {}
      Reflect.set(context, 'ontoolchange', 5)
      const first = context.ontoolchange
      Reflect.set(context, 'ontoolchange', held)
      const second = (context.ontoolchange as unknown) === held
      context.dispatchEvent(new Event('toolchange'))
      context.ontoolchange = null
      return [first, second]
    },
    want: [null, true],
  },
  'handlers: replaced in place, added again at the end': {
    run({ context }) {
      const seen: string[] = []
      const over = new AbortController()
      const listen = (name: string) =>
        context.addEventListener('toolchange', () => seen.push(name), { signal: over.signal })
      listen('first')
      context.ontoolchange = () => seen.push('one')
      listen('second')
      context.ontoolchange = () => seen.push('two')
      context.dispatchEvent(new Event('toolchange'))
      context.ontoolchange = null
      context.ontoolchange = () => seen.push('three')
      context.dispatchEvent(new Event('toolchange'))
      context.ontoolchange = null
      over.abort()
      return seen
    },
    want: ['first', 'two', 'second', 'first', 'second', 'three'],
  },
  'handlers: this and the event, and false prevents': {
    run({ context }) {
      const seen: boolean[] = []
      const event = new Event('toolchange', { cancelable: true })
      context.ontoolchange = function (given) {
        seen.push(this === context, given === event)
        return false
      }
      context.dispatchEvent(event)
      context.ontoolchange = null
      return [...seen, event.defaultPrevented]
    },
    want: [true, true, true],
  },
  'events can be constructed': {
    run: () =>
      ['ToolActivatedEvent', 'ToolCancelEvent'].map((name) => {
        const Made = made(name)
        const events = [new Made('a'), new Made('b', { toolName: 5, bubbles: true })]
        return events.map((event) =>
          [
            Object.prototype.toString.call(event),
            event instanceof Event,
            ...['type', 'toolName', 'bubbles', 'isTrusted'].map((key): unknown =>
              Reflect.get(event, key),
            ),
          ].join(),
        )
      }),
    want: [
      [
        '[object ToolActivatedEvent],true,a,,false,false',
        '[object ToolActivatedEvent],true,b,5,true,false',
      ],
      [
        '[object ToolCancelEvent],true,a,,false,false',
        '[object ToolCancelEvent],true,b,5,true,false',
      ],
    ],
  },
  'events need a type, and no symbol for a name': {
    run: () => {
      const Made = made('ToolCancelEvent')
      return [() => new Made(), () => new Made('a', 5), () => new Made('a', { toolName: Symbol() })]
        .map(thrown)
        .map((text) => text.split(':')[0])
    },
    want: ['TypeError', 'TypeError', 'TypeError'],
  },
  'the attribute of an event': {
    run: () => shape(proto('ToolActivatedEvent'), 'toolName'),
    want: 'true true - get toolName/0 - -',
  },
  'toolactivated comes when the tool has been called, at the context only': {
    async run(page) {
      const seen: unknown[] = []
      const note = (event: Event) => {
        const { bubbles, cancelable, composed, type } = event
        seen.push(type, Reflect.get(event, 'toolName'), event.target === page.context)
        seen.push(event instanceof made('ToolActivatedEvent'), bubbles, cancelable, composed)
      }
      const away = () => seen.push('elsewhere')
      page.context.ontoolactivated = note
      for (const target of [window, document]) target.addEventListener('toolactivated', away, true)
      await page.register({ execute: () => void seen.push('called') })
      await page.call()
      await settled()
      page.context.ontoolactivated = null
      for (const target of [window, document])
        target.removeEventListener('toolactivated', away, true)
      return seen
    },
    want: ['called', 'toolactivated', 'tool', true, true, false, false, false],
  },
  'toolactivated comes when the tool has thrown, too': {
    async run(page) {
      let activated = 0
      page.context.ontoolactivated = () => activated++
      await page.register({
        execute() {
          throw new RangeError('mine')
        },
      })
      await failure(() => page.call())
      page.context.ontoolactivated = null
      return activated
    },
    want: 1,
  },
  'a browser that can trust its events does': {
    async run(page) {
      let trusted: boolean | undefined
      page.context.ontoolchange = (event) => (trusted = event.isTrusted)
      await page.register()
      page.context.ontoolchange = null
      return trusted
    },
    want: false,
    native: true,
  },
  'no handlers at window': {
    run: () => ['ontoolchange', 'ontoolactivated', 'ontoolcancel'].filter((name) => name in window),
    want: [],
  },
}
