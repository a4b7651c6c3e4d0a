export { openSite, type SiteOptions } from './site.ts'
