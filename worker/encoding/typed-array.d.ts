/** Base64 of typed arrays (ECMAScript 2026), which the runtime has and the declared library has not. */
interface Uint8Array {
  toBase64(options?: { readonly alphabet?: 'base64url'; readonly omitPadding?: boolean }): string
}
interface Uint8ArrayConstructor {
  fromBase64(text: string): Uint8Array<ArrayBuffer>
}
