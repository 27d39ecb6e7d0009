"""The capsule network of Sabour, Frosst & Hinton 2017."""
