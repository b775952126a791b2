/** The most accounts for which a browser shows at a login that it is known. */
export const mostBrowserTokens = 5
