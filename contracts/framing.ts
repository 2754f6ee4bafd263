/**
 * The request header by which the web server tells the pages who may show them in a frame: origins, parted by a space.
 * It takes away what a client sends under this name.
 */
export const FRAMED_BY_HEADER = "x-posthorn-framed-by";
