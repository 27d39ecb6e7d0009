"""The convolutional network with max-pooling."""
