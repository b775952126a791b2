/** How many accounts a browser shows at a login that it has logged in to before. */
export const mostBrowserTokens = 5
