/** `webidl2` has no types of its own; what the tests use of it. */
declare module 'webidl2' {
  /** Parses a Web IDL file. The definitions can be written as JSON. */
  export function parse(idl: string): readonly { readonly type: string; readonly name: string }[]
}
