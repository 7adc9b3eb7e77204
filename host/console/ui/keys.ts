/** The name of the key for shortcuts. @module */

/** The key that is held for a shortcut, as it is named on this machine. */
export const COMMAND_KEY = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'
