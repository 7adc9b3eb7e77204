/** Tests of pages speak of the page as well: its types, beside those of Node. @module */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** What Node's fetch wants for a stream, which the browser's types do not know. */
interface RequestInit {
  duplex?: 'half'
}
