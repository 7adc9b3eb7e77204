/**
 * Changes to the page that can be taken back.
 *
 * @module
 */

/** Takes a change back. Called twice, it does nothing more. */
export type Undo = () => void

/**
 * Gives an object the properties of another, and answers what restores those it had before. What is
 * frozen stays as it is.
 */
export function define(target: object, source: object, enumerable = true): Undo {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(source))
  const undos = properties.map(([name, property]) => {
    const before = Object.getOwnPropertyDescriptor(target, name)
    Reflect.defineProperty(target, name, { ...property, enumerable })
    return () =>
      before ? Reflect.defineProperty(target, name, before) : Reflect.deleteProperty(target, name)
  })
  return () => undos.forEach((undo) => undo())
}
