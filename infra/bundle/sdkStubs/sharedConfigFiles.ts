/**
 * Replaces the reading of `~/.aws`, which a function has not: 2 KB of every bundle, and two failed reads of every cold
 * start.
 */
export const CONFIG_PREFIX_SEPARATOR = '.';

export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });
