SELECT revision, digest, envelope FROM slice WHERE space = ?;
