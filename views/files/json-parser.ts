/**
 * Parsers of untrusted JSON, defined by example values.
 *
 * An example is a string, a number, a boolean, an object of examples, a list `[example]`, or a
 * tuple. Missing values and those of another type are replaced by the example's value, so that a
 * newer or older server shows less and breaks nothing. `test/views/files/text-blocks.test.ts` feeds
 * it malformed input.
 *
 * @module
 */

/** The type of what the parser of an example returns. */
export type Parsed<S> = S extends string
  ? string
  : S extends number
    ? number
    : S extends boolean
      ? boolean
      : S extends readonly [infer Item]
        ? readonly Parsed<Item>[]
        : { readonly [K in keyof S]: Parsed<S[K]> }

/** Creates the parser of values that look like the example. */
export function createParser<const S>(example: S): (value: unknown) => Parsed<S> {
  // `parse` follows the example, so its result has the example's type.
  return (value) => parse(example, value) as Parsed<S>
}

function parse(example: unknown, value: unknown): unknown {
  if (Array.isArray(example)) {
    const items: unknown[] = Array.isArray(value) ? value : []
    return example.length > 1
      ? example.map((each, index) => parse(each, items[index]))
      : items.map((item) => parse(example[0], item))
  }
  if (typeof example !== 'object' || example === null)
    return typeof value === typeof example ? value : example
  const from = typeof value === 'object' && value !== null ? value : {}
  return Object.fromEntries(
    Object.entries(example).map(([key, each]) => [
      key,
      parse(each, Object.hasOwn(from, key) ? Reflect.get(from, key) : undefined),
    ]),
  )
}
