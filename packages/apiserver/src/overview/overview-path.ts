/** Below /apis, so that whoever may see discovery may ask. */
export const OVERVIEW_PATH = '/apis/dashboard.homeostat.io/v1/overview'
