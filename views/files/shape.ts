/**
 * Shapes: JSON of a stranger read into plain types, told by what stands in for what is missing.
 *
 * A shape is an example: a text, a number, a flag, an object of shapes, a list `[shape]`, or a tuple.
 * What is missing or of another kind becomes the example's value, so that a newer or an older server
 * shows less and breaks nothing. `test/views/files-lines.test.ts` feeds it what strangers send.
 *
 * @module
 */

/** What is read with a shape. */
export type Read<S> = S extends string
  ? string
  : S extends number
    ? number
    : S extends boolean
      ? boolean
      : S extends readonly [infer Item]
        ? readonly Read<Item>[]
        : { readonly [K in keyof S]: Read<S[K]> }

/** A reader of values with a shape. */
export function shape<const S>(example: S): (value: unknown) => Read<S> {
  // `read` follows the example, so what it makes has the example's type.
  return (value) => read(example, value) as Read<S>
}

function read(example: unknown, value: unknown): unknown {
  if (Array.isArray(example)) {
    const items: unknown[] = Array.isArray(value) ? value : []
    return example.length > 1
      ? example.map((each, index) => read(each, items[index]))
      : items.map((item) => read(example[0], item))
  }
  if (typeof example !== 'object' || example === null)
    return typeof value === typeof example ? value : example
  const from = typeof value === 'object' && value !== null ? value : {}
  return Object.fromEntries(
    Object.entries(example).map(([key, each]) => [
      key,
      read(each, Object.hasOwn(from, key) ? Reflect.get(from, key) : undefined),
    ]),
  )
}
