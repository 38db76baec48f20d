"""Fair draws: keys committed to beforehand, and a proof that anyone can check afterwards."""
