/** Types of the page for its tests, beside those of Node. @module */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Required by Node's fetch for a stream, but missing in the browser's types. */
interface RequestInit {
  duplex?: 'half'
}
