"""Values and decisions: no clock, disk, network, environment or printing."""
