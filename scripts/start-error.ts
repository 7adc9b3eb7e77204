/** Why the product was not started, in words for the person who tried. @module */

export class StartError extends Error {}
