/**
 * Reversible changes to the page.
 *
 * @module
 */

/** Reverts a change. A second call has no effect. */
export type Undo = () => void

/**
 * Copies properties to an object.
 *
 * @returns A function that restores the previous properties. Frozen properties stay as they are.
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
