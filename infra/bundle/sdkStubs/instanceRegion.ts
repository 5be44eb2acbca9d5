/** Replaces asking a machine for its region, which a function has in its environment: 1 KB of every bundle. */
export const getInstanceMetadataRegion = async () => undefined;
