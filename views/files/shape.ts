/**
 * Parsers of untrusted JSON, defined by example values.
 *
 * A shape is an example: a string, a number, a boolean, an object of shapes, a list `[shape]`, or a
 * tuple. Missing values and those of another type are replaced by the example's value, so that a
 * newer or older server shows less and breaks nothing. `test/views/files-lines.test.ts` feeds it
 * malformed input.
 *
 * @module
 */

/** The type that a shape parses to. */
export type Read<S> = S extends string
  ? string
  : S extends number
    ? number
    : S extends boolean
      ? boolean
      : S extends readonly [infer Item]
        ? readonly Read<Item>[]
        : { readonly [K in keyof S]: Read<S[K]> }

/** Creates the parser of a shape. */
export function shape<const S>(example: S): (value: unknown) => Read<S> {
  // `read` follows the example, so its result has the example's type.
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
