/**
 * Holds the interfaces of a page to a Web IDL file, by the rules of Web IDL's JavaScript binding:
 * descriptors, names, lengths, tags, inheritance, constructors, brand checks and required arguments.
 *
 * The definitions come parsed, as JSON of `webidl2`. `test/pages/polyfill/idl.slow.test.ts` runs it.
 *
 * @module
 */

interface Argument {
  readonly optional: boolean
  readonly variadic: boolean
}

interface Member {
  readonly type: string
  readonly name?: string
  readonly readonly?: boolean
  readonly arguments?: readonly Argument[]
  readonly idlType?: { readonly generic: string }
  readonly extAttrs: readonly { readonly name: string }[]
}

export interface Definition {
  readonly type: string
  readonly name: string
  readonly partial?: boolean
  readonly inheritance?: string | null
  readonly members?: readonly Member[]
}

type Check = readonly [name: string, run: () => unknown]

/** Compares as JSON; returns undefined if both are the same. */
function differs(got: unknown, want: unknown): string | undefined {
  const [left, right] = [JSON.stringify(got), JSON.stringify(want)]
  return left === right ? undefined : `${left}, not ${right}`
}

const requiredOf = ({ arguments: given = [] }: Member): number =>
  given.filter(({ optional, variadic }) => !optional && !variadic).length

function thrown(action: () => unknown): string {
  try {
    action()
    return 'nothing'
  } catch (error) {
    return error instanceof Error ? error.name : String(error)
  }
}

/** How an operation fails: by a rejection, as those that return promises must, or by throwing. */
async function refused(action: () => unknown): Promise<string> {
  let result: unknown
  try {
    result = action()
  } catch (error) {
    return `throws ${String(error)}`
  }
  return Promise.resolve(result).then(
    () => 'nothing',
    (error: unknown) => (error instanceof TypeError ? 'rejects TypeError' : String(error)),
  )
}

const flags = (target: object, key: PropertyKey) => {
  const { configurable, enumerable, writable } = Object.getOwnPropertyDescriptor(target, key) ?? {}
  return { configurable, enumerable, writable }
}

const hidden = { configurable: true, enumerable: false, writable: true }

function interfaceChecks(definition: Definition): Check[] {
  const { name, inheritance, members = [] } = definition
  const made = (): object => Reflect.get(window, name) as object
  const parent = (): object =>
    inheritance ? (Reflect.get(window, inheritance) as object) : Function.prototype
  const prototype = (): object => Reflect.get(made(), 'prototype') as object
  const constructor = members.find(({ type }) => type === 'constructor')
  return [
    ['the interface object', () => differs(flags(window, name), hidden)],
    ['its name', () => differs(Reflect.get(made(), 'name'), name)],
    [
      'its length',
      () => differs(Reflect.get(made(), 'length'), constructor ? requiredOf(constructor) : 0),
    ],
    ['its parent', () => differs(Object.getPrototypeOf(made()) === parent(), true)],
    [
      'its prototype',
      () =>
        differs(flags(made(), 'prototype'), {
          configurable: false,
          enumerable: false,
          writable: false,
        }),
    ],
    [
      "its prototype's parent",
      () =>
        differs(
          Object.getPrototypeOf(prototype()) ===
            (inheritance ? Reflect.get(parent(), 'prototype') : Object.prototype),
          true,
        ),
    ],
    ['constructor', () => differs(flags(prototype(), 'constructor'), hidden)],
    [
      'the class string',
      () =>
        differs(
          [Reflect.get(prototype(), Symbol.toStringTag), flags(prototype(), Symbol.toStringTag)],
          [name, { configurable: true, enumerable: false, writable: false }],
        ),
    ],
    [
      constructor ? 'called without new or arguments' : 'called or constructed',
      () =>
        differs(
          [
            thrown(() => Reflect.apply(Object(made()), window, [])),
            thrown(() => Reflect.construct(Object(made()), [])),
          ],
          ['TypeError', 'TypeError'],
        ),
    ],
    ...members.flatMap((member) => memberChecks(prototype, member)),
  ]
}

function memberChecks(prototype: () => object, member: Member): Check[] {
  const { name = '', type } = member
  const checks =
    type === 'attribute'
      ? attributeChecks(prototype, member)
      : type === 'operation'
        ? operationChecks(prototype, member)
        : []
  return checks.map(([check, run]) => [`${name}: ${check}`, run])
}

function attributeChecks(
  prototype: () => object,
  { name = '', readonly, extAttrs }: Member,
): Check[] {
  const found = (part: string): unknown =>
    Reflect.get(Object.getOwnPropertyDescriptor(prototype(), name) ?? {}, part)
  const shape = (part: unknown) => (typeof part === 'function' ? [part.name, part.length] : null)
  return [
    [
      'the accessors',
      () => {
        const setter = readonly === true ? null : [`set ${name}`, 1]
        return differs(
          [found('configurable'), found('enumerable'), shape(found('get')), shape(found('set'))],
          [true, true, [`get ${name}`, 0], setter],
        )
      },
    ],
    [
      'read from something else',
      () =>
        differs(
          [{}, prototype(), Object.create(document)].map((self: unknown) =>
            thrown(() => Reflect.apply(Object(found('get')), self, [])),
          ),
          ['TypeError', 'TypeError', 'TypeError'],
        ),
    ],
    ...(extAttrs.some((attribute) => attribute.name === 'SameObject')
      ? [
          [
            'the same object',
            () => differs(Reflect.get(document, name) === Reflect.get(document, name), true),
          ] as const,
        ]
      : []),
  ]
}

function operationChecks(prototype: () => object, member: Member): Check[] {
  const { name = '' } = member
  const method = (): unknown => Reflect.get(prototype(), name)
  const required = requiredOf(member)
  const call = (self: unknown, count: number) =>
    refused(() =>
      Reflect.apply(
        Object(method()),
        self,
        Array.from({ length: count }, () => ({})),
      ),
    )
  return [
    [
      'the method',
      () =>
        differs(flags(prototype(), name), { configurable: true, enumerable: true, writable: true }),
    ],
    [
      'its name and length',
      () =>
        differs(
          [Reflect.get(Object(method()), 'name'), Reflect.get(Object(method()), 'length')],
          [name, required],
        ),
    ],
    [
      'not a constructor',
      () =>
        differs(
          thrown(() => Reflect.construct(Object(method()), [])),
          'TypeError',
        ),
    ],
    [
      'called on something else',
      async () => differs(await call({}, required), 'rejects TypeError'),
    ],
    ...(required > 0
      ? [
          [
            'called without arguments',
            async () =>
              differs(await call(Reflect.get(document, 'modelContext'), 0), 'rejects TypeError'),
          ] as const,
        ]
      : []),
  ]
}

/** Runs all checks; returns how many there are, and what fails with its reason. */
export async function judge(definitions: readonly Definition[]) {
  const failures: Record<string, unknown> = {}
  let count = 0
  for (const definition of definitions.filter(({ type }) => type === 'interface')) {
    const { name, partial, members = [] } = definition
    const prototype = () => Reflect.get(Object(Reflect.get(window, name)), 'prototype') as object
    const checks = partial
      ? members.flatMap((member) => memberChecks(prototype, member))
      : interfaceChecks(definition)
    for (const [title, run] of checks) {
      count++
      const failure = await Promise.resolve().then(run).catch(String)
      if (failure !== undefined) failures[`${name}: ${title}`] = failure
    }
  }
  return { count, failures }
}

Object.assign(globalThis, { judge })
